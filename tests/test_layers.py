"""Who may import whom. Arrows point down only, and heavy libraries stay where they belong."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "occupancy_lsp"

# From the bottom up. A part may import itself and what stands before it, but for the parts in APART.
LAYERS = (
    (
        "defects",
        "problem",
        "text",
        "shared",
        "naming",
        "wording",
        "visible",
        "terminal",
        "files",
        "job",
        "yaml_types",
        "yaml_nodes",
        "yaml_reader",
    ),
    ("model", "syntax"),
    (
        "resources",
        "preset_fields",
        "preset_amd",
        "preset_generic",
        "preset_intel",
        "preset_mobile",
        "preset_files",
        "preset_text",
        "presets",
        "predefined",
    ),
    ("workspace",),
    ("compile",),
    ("settings", "freshness", "ceilings", "inputs", "predefined"),
    ("origins", "built"),
    ("joining",),
    ("results",),
    (
        "project",
        "analysis",
        "calculate_fill",
        "calculate_request",
        "calculate",
        "calculate_best",
        "sweep_report",
        "roofline_report",
        "what_if",
    ),
    ("view", "resize"),
    ("implied",),
    ("rules",),
    ("features",),
    ("report", "server"),
    ("commands",),
    ("cli",),
    ("__main__",),
)
APART = {
    "model": {"model"},
    "syntax": {"syntax", "text", "problem", "defects"},
    "workspace": {"workspace", "syntax", "problem", "files", "defects", "job"},
    "compile": {"compile", "workspace", "resources", "model", "problem", "files"},
    "resources": {"resources", "problem", "defects", "naming", "files", "yaml_types", "yaml_nodes", "yaml_reader"},
}
# Libraries and the parts that alone import them.
OWNERS = {
    "pygls": {"server"},
    "lsprotocol": {"server"},
    "tree_sitter": {"syntax"},
    "tree_sitter_cuda": {"syntax"},
    "yaml": {"yaml_nodes", "yaml_reader"},
    "itanium_demangler": {"resources"},
    "elftools": {"resources"},
    "msgpack": {"resources"},
    "subprocess": {"compile"},
    # What SECURITY.md says never happens: no connection is opened, nothing of a workspace is evaluated.
    **dict.fromkeys(
        ("socket", "http", "ssl", "ftplib", "requests", "pickle", "marshal", "shelve", "runpy"), frozenset()
    ),
}


def imports(path: Path) -> Iterator[str]:
    """Full names of the modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            if node.module == "occupancy_lsp":
                yield from (f"occupancy_lsp.{alias.name}" for alias in node.names if part_exists(alias.name))
            elif node.module:
                yield node.module


def part_exists(name: str) -> bool:
    return (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


FILES = sorted(PACKAGE.rglob("*.py"))
RANK = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}


def test_every_part_has_a_layer() -> None:
    assert {part_of(path) for path in FILES} - {"__init__"} == set(RANK)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_arrows_point_down(path: Path) -> None:
    part = part_of(path)
    for module in imports(path):
        top, _, rest = module.partition(".")
        if top == "occupancy_lsp" and rest and part != "__init__":
            other = rest.partition(".")[0]
            assert RANK[other] <= RANK[part], f"{part} imports {other}, which stands above it"
            assert other in APART.get(part, RANK), f"{part} imports {other}"
        assert top not in OWNERS or part in OWNERS[top], f"{part} imports {top}"


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
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_start_without_the_server(arguments: list[str]) -> None:
    program = (
        "import sys; from occupancy_lsp.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "heavy = {name.partition('.')[0] for name in sys.modules} & {'pygls', 'lsprotocol', 'asyncio'}\n"
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
    assert {part_of(path) for path in importing} <= {"cli", "server"}  # by names of their own


def test_what_a_terminal_would_obey_has_one_way_out() -> None:
    """Texts may be a workspace's. The server says nothing on standard error but its own words."""
    printing = [path for path in FILES if re.search(r"\bprint\(|\bstd(?:out|err)\.write\(", path.read_text("utf-8"))]
    printing = [path for path in printing if path.name != "landlock.py"]  # a program whose output we read
    assert {part_of(path) for path in printing} <= {"terminal", "server"}
