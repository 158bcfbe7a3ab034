"""Who may import whom. Arrows point down only, and heavy libraries stay where they belong."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.vendors.registry import VENDORS

PACKAGE = Path(__file__).parents[1] / "occupancy_lsp"

# Folders from the bottom up. One may import what stands before it, and those of its own line.
LAYERS = (
    ("core",),
    ("yamlfile", "source.lex", "model"),
    ("source.preprocessor",),
    ("source.syntax",),
    ("source.lower", "counts"),
    ("source.dataflow", "counts.formats"),
    ("source.sema",),
    ("source.kernels",),
    ("source.incremental", "source"),
    ("slices", "languages"),
    ("vendors",),
    ("devices",),
    ("settings",),
    ("workspace",),
    ("compile", "builds"),
    ("history",),
    ("analysis",),
    ("session", "edits", "calculator"),
    ("rules",),
    ("features",),
    ("findings",),
    ("server", "cli.formats"),
    ("cli.commands",),
    ("cli",),
    ("",),  # `python -m occupancy_lsp`
)
# Beside itself, all that a part may import.
APART = {
    "core": set(),
    "yamlfile": {"core"},
    "model": set(),
    "vendors": {"model", "yamlfile", "core", "source", "counts"},
    "source": {"core"},
    "slices": {"source", "core"},
    "languages": {"source", "core"},
    "counts": {"core", "yamlfile"},
    "devices": {"vendors", "model", "yamlfile", "core"},
    "workspace": {"source", "languages", "core"},
    "compile": {"workspace", "slices", "source", "counts", "model", "core"},
    "builds": {"workspace", "counts", "settings", "core"},
    "history": {"compile", "workspace", "core"},
}
# Libraries and the parts that alone import them.
OWNERS = {
    "pygls": {"server"},
    "lsprotocol": {"server"},
    "tree_sitter": {"source"},
    "tree_sitter_cuda": {"source"},
    "yaml": {"yamlfile"},
    "itanium_demangler": {"counts"},
    "elftools": {"counts"},
    "msgspec": {"core", "counts", "source", "languages"},
    "lz4": {"counts"},
    "sqlite3": {"counts"},
    "zstandard": {"counts"},
    "subprocess": {"compile", "history"},
    **{library: {"cli"} for library in ("mcp", "mcp_types", "anyio", "jsonschema")},
    # What SECURITY.md says never happens: no connection is opened, nothing of a workspace is evaluated.
    **dict.fromkeys(
        ("socket", "http", "ssl", "ftplib", "requests", "pickle", "marshal", "shelve", "runpy"), frozenset()
    ),
}


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


@cache
def imports(path: Path) -> tuple[str, ...]:
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    """Full names of the modules that a file imports, wherever in it."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            if node.module:
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def folder_of(path: Path) -> str:
    """The folder that a file of ours is in, with dots; "": the package itself."""
    return ".".join(path.relative_to(PACKAGE).parts[:-1])


@cache
def file_of(module: str) -> Path | None:
    """The file of a module, or of a name in one, if it is ours."""
    top, *rest = module.split(".")
    while top == "occupancy_lsp" and rest:
        path = PACKAGE.joinpath(*rest)
        for it in (path / "__init__.py", path.with_suffix(".py")):
            if it.is_file():
                return it
        rest.pop()
    return None


def imported(module: str) -> str | None:
    """The folder of a module, or of a name in one, if it is ours."""
    path = file_of(module)
    return folder_of(path) if path is not None else None


def layer_of(folder: str) -> str:
    """The folder of LAYERS that a folder is, or is in: a vendor's is in `vendors`."""
    while folder not in RANK:
        folder = folder.rpartition(".")[0]
    return folder


FILES = sorted(PACKAGE.rglob("*.py"))
RANK = {folder: rank for rank, folders in enumerate(LAYERS) for folder in folders}


def part_of(path: Path) -> str:
    return folder_of(path).partition(".")[0]


def test_every_part_has_a_layer() -> None:
    assert {part_of(path) for path in FILES} == {folder.partition(".")[0] for folder in RANK}


def test_every_folder_says_what_it_is() -> None:
    folders = {path.parent for path in FILES}
    silent = [it for it in folders if not (it / "__init__.py").is_file()]
    assert not silent
    assert all(ast.get_docstring(ast.parse((it / "__init__.py").read_text("utf-8"))) for it in folders)


def wrong_arrows(path: Path) -> Iterator[str]:
    part, own = part_of(path), layer_of(folder_of(path))
    for module in imports(path):
        folder = imported(module)
        if folder is not None and folder != "":
            other = folder.partition(".")[0]
            if RANK[layer_of(folder)] > RANK[own]:
                yield f"{path}: {module} stands above {own}"
            if other != part and other not in APART.get(part, RANK.keys() | {"cli"}):
                yield f"{path}: {part} imports {other}"
        top = module.partition(".")[0]
        if top in OWNERS and part not in OWNERS[top]:
            yield f"{path}: {part} imports {top}"


def test_arrows_point_down() -> None:
    assert not [it for path in FILES for it in wrong_arrows(path)]


def test_dataclasses_are_made_quickly() -> None:
    """By `core.dataclass`; only the model, which imports nothing of ours, has Python's own."""
    makers = {path for path in FILES if "dataclasses.dataclass" in imports(path)}
    assert {part_of(path) for path in makers - {PACKAGE / "core" / "dataclass.py"}} == {"model"}


NAMES = {*VENDORS, *LANGUAGES}
# Where vendors and languages are at home: their folders, and the one list of who compiles what for whom.
AT_HOME = ("vendors", "languages")
LISTS = {"compile/compilers.py"}


def questions(path: Path) -> Iterator[str]:
    """Where a file asks which vendor or language it has before it: by name, by a key, or by whose code it imports."""
    for module in imports(path):
        if re.match(r"occupancy_lsp\.vendors\.(?!vendor\b|registry\b|stated\b)", module):
            yield f"{path}: imports {module}"
    for node in nodes(path):
        asked: list[ast.expr | None] = []
        if isinstance(node, ast.Attribute) and node.attr in LANGUAGES:
            yield f"{path}:{node.lineno} asks whether it is {node.attr}"
        if isinstance(node, ast.Compare):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            asked = [node.value]
        elif isinstance(node, ast.Dict):
            asked = [*node.keys]
        elif isinstance(node, ast.Subscript):
            asked = [node.slice]
        for part in asked:
            within = part.elts if isinstance(part, ast.Tuple | ast.List | ast.Set) else [part]
            for it in within:
                if isinstance(it, ast.Constant) and it.value in NAMES:
                    yield f"{path}:{it.lineno} asks for {it.value}"


def test_nobody_asks_which_vendor_or_language() -> None:
    """What is theirs is asked of them, so that a new one touches its folder and a registry."""
    others = [it for it in FILES if part_of(it) not in AT_HOME and it.relative_to(PACKAGE).as_posix() not in LISTS]
    assert not [it for path in others for it in questions(path)]


def test_what_is_pure_of_a_vendor_knows_no_source() -> None:
    """Its architectures' arithmetic. What its compiler makes of a kernel stands in `vendor` and `ceiling`."""
    for path in (it for it in FILES if part_of(it) == "vendors" and it.stem not in ("vendor", "ceiling", "stated")):
        assert not {"source", "counts"} & {(imported(it) or "").partition(".")[0] for it in imports(path)}, path


def test_no_two_folders_import_each_other() -> None:
    arrows = {
        (layer_of(folder_of(path)), layer_of(folder))
        for path in FILES
        for module in imports(path)
        if (folder := imported(module)) is not None and folder
    }
    assert not [it for it in arrows if it[0] != it[1] and it[::-1] in arrows]


def circles() -> set[frozenset[str]]:
    """Files each of which imports all the others, by however many steps, and be it within a function or for types."""
    arrows = {path: {it for module in imports(path) if (it := file_of(module)) not in (None, path)} for path in FILES}
    size = 0
    while size != len(arrows):  # what imports none that are left, or is imported by none, is in no circle
        size = len(arrows)
        ends = set().union(*arrows.values())
        arrows = {path: to & arrows.keys() for path, to in arrows.items() if path in ends and to & arrows.keys()}

    def reached(path: Path) -> set[Path | None]:
        found, new = set[Path | None](), {*arrows[path]}
        while new:
            found |= new
            new = set().union(*(arrows[it] for it in new if it)) - found
        return found

    reach = {path: reached(path) for path in arrows}
    return {
        frozenset(it.relative_to(PACKAGE).as_posix() for it in arrows if it in reach[path] and path in reach[it])
        for path in arrows
        if path in reach[path]
    }


def test_files_import_each_other_around_scopes_alone() -> None:
    """What a name is takes templates, these take values, and a value takes the names in it."""
    others = [", ".join(sorted(it)) for it in circles() if "source/sema/scope.py" not in it]
    assert not others, "\n".join(others)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["check", "examples"],
        ["kernels", "examples"],
        ["calc", "--device", "h100", "--block", "256"],
        ["sweep", "--device", "h100", "--over", "block"],
        ["devices", "h100"],
        ["roofline", "--device", "a100", "--flops", "1e9", "--bytes", "4e9"],
        ["doctor", "examples"],
        ["compile", "--help"],
        ["mcp", "--help"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_start_without_the_server(arguments: list[str]) -> None:
    program = (
        "import sys; from occupancy_lsp.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "heavy = {name.partition('.')[0] for name in sys.modules}\n"
        "heavy &= {'pygls', 'lsprotocol', 'asyncio', 'mcp', 'anyio'}\n"
        "assert not heavy, heavy"
    )
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_nothing_is_evaluated() -> None:
    evaluating = (
        r"(?<![\w.])(?:eval|exec|__import__)\(|\byaml\.(?:load|unsafe_load|full_load)\(|\burlopen\b|\bopen_connection\b"
    )
    assert not [path for path in FILES if re.search(evaluating, path.read_text("utf-8"))]
    importing = [path for path in FILES if "import_module(" in path.read_text("utf-8")]
    assert {part_of(path) for path in importing} <= {"cli", "server", "rules"}  # by names of their own


def test_what_a_terminal_would_obey_has_one_way_out() -> None:
    """Texts may be a workspace's. The server says nothing on standard error but its own words."""
    printing = [path for path in FILES if re.search(r"\bprint\(|\bstd(?:out|err)\.write\(", path.read_text("utf-8"))]
    printing = [path for path in printing if path.name != "landlock.py"]  # a program whose output we read
    assert {path.relative_to(PACKAGE).as_posix() for path in printing if part_of(path) != "server"} == {
        "core/terminal.py"
    }


# Who writes otherwise: to folders that only this program uses, and to streams.
WRITING = {
    "core/writing.py": {"tempfile.mkstemp", "os.replace", "open"},
    "compile/store.py": {"os.replace"},  # from a private folder into the caches
    "compile/cuda.py": {"symlink_to"},  # in a private folder
    "history/store.py": {"os.rename"},  # a folder, in the caches
    "cli/main.py": {"os.fdopen"},  # standard streams that are closed
}
WRITERS = {
    "os": {"rename", "renames", "replace", "link", "symlink", "truncate", "mknod", "mkfifo", "O_CREAT", "O_TRUNC"},
    "shutil": {"copy", "copy2", "copyfile", "copyfileobj", "copytree", "move", "unpack_archive"},
    "tempfile": {"mkstemp", "mktemp", "NamedTemporaryFile"},
}
METHODS = {"write_text", "write_bytes", "symlink_to", "hardlink_to"}


def writers(path: Path) -> Iterator[str]:
    """What a file can write to the disk with."""
    for node in nodes(path):
        if isinstance(node, ast.Attribute):
            by = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in METHODS or node.attr in WRITERS.get(by, ()):
                yield node.attr if node.attr in METHODS else f"{by}.{node.attr}"
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)).rpartition(".")[2] in ("open", "fdopen"):
            given = [
                it.value for it in (*node.args, *(it.value for it in node.keywords)) if isinstance(it, ast.Constant)
            ]
            if any(isinstance(it, str) and re.fullmatch(r"[rbt]*[wax+][rbt+]*", it) for it in given):
                yield name


def test_what_is_written_has_one_way_to_the_disk() -> None:
    """Which follows no link of a workspace, and leaves no half of a file."""
    found = {path.relative_to(PACKAGE).as_posix(): {*writers(path)} for path in FILES}
    assert {path: names for path, names in found.items() if names} == WRITING


def test_one_part_remembers() -> None:
    """Answers that change are `core/query.py`'s; a `cache` without a bound holds what never changes in a process."""
    assert {path.relative_to(PACKAGE).as_posix() for path in FILES if "lru_cache" in path.read_text("utf-8")} == {
        "core/query.py",
    }
    known_by_identity = re.compile(r"(?m)^_?\w+: dict\[int, .*= \{\}")
    assert not [path for path in FILES if known_by_identity.search(path.read_text("utf-8"))]
