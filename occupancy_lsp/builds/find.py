"""The files below a root that may say resources: found by name within bounds, read by content.

Sought are what compilers and profilers write under names of their own (`USUAL`), what the globs of `sidecars` name,
whatever may hold device code (`CODE`, and programs) wherever it lies and a compiler's or profiler's messages: in build
folders all that may be some (`_MESSAGES`), elsewhere those of `MESSAGES_ANYWHERE` that begin as one does, within
bounds. No link is followed out of the root, no pipe is opened, and a huge tree is given up with a Problem.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase, translate
from pathlib import Path

from occupancy_lsp.builds.joining import has_binary, is_spoken_for, joined
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, is_build_folder, read_file, stays_in
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.reads import note
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import recognise, triton
from occupancy_lsp.counts.formats.triton import METADATA
from occupancy_lsp.counts.usage import Reading

USUAL = (
    "**/*.occupancy.yaml", "**/*.ptxas", "**/*.ptxas.log", "**/ptxas*.log", "**/*.cubin", "**/*.fatbin", "**/*.hsaco",
    "**/*-hip-amdgcn-*.s", "**/*.remarks", "**/*.ze_bin", "**/*.zebin",
)  # fmt: skip
CODE = frozenset(("o", "obj", "so", "a", "lib", "exe", "dll", "pyd", "cubin", "fatbin", "hsaco", "co", "hipfb"))
# Of what compilers and profilers write: how much of it has to be seen to tell what it is.
MESSAGES_ANYWHERE = {
    **dict.fromkeys(("log", "txt", "err", "out", "asm", "db", "sqlite"), 1 << 20),
    **dict.fromkeys(("csv", "json", "jsonl"), 1 << 16),
}
_MESSAGES = frozenset(("bin", "spv", "ptx", "s", *MESSAGES_ANYWHERE))
_NO_MESSAGES = frozenset(("CMakeLists.txt", "CMakeCache.txt", "compile_commands.json", "package.json"))
MAX_SNIFFED = 4_000  # files outside of build folders of which the beginning is looked at
MAX_SNIFFED_BYTES = 256 << 20
MAX_ENTRIES = 200_000
MAX_FILES = 20_000
MAX_DEPTH = 24
MAX_BYTES = 64 << 20
MAX_TOTAL = 1 << 30
_NAME_ALONE = regex(r"\*\*/(?!\*\*$)[^/\\]{1,80}")
_SETTINGS = ".occupancy.yaml"
_OF_BAZEL = frozenset({"bazel-out"})  # a link to where it builds
_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages"})
_HIDDEN = ".triton"  # hidden folders that are looked into: caches of Triton
_ENVIRONMENTS = frozenset({"pyvenv.cfg", "conda-meta"})  # stand in folders of software that was installed, not built


@dataclass(frozen=True, slots=True)
class Found:
    """Paths in order of their names, and what was in the way. `large`: what may hold device code and is not read.

    `links`: build folders that lead out of the root.
    """

    paths: tuple[Path, ...]
    problems: tuple[Problem, ...] = ()
    large: tuple[Path, ...] = ()
    links: tuple[Path, ...] = ()


def find_sidecars(root: Path, globs: Iterable[str] = (), builds: Iterable[str] = ()) -> Found:
    """The files below `root` that may say resources. Never raises.

    `globs` are those of the settings, `builds` build folders, from the root and with slashes.
    """
    inside, sniffer = tuple(builds), Sniffer()
    found = find(root, (*USUAL, *globs), lambda path, relative: is_built(path, relative, inside, sniffer))
    return replace(found, paths=tuple(path for path in found.paths if path.name != _SETTINGS))


def is_built(path: Path | str, relative: str, builds: Iterable[str], sniffer: Sniffer) -> bool:
    """Whether a file holds machine code, or speaks for one that does; in a build folder, whether it may."""
    name = os.path.basename(path)
    ending = os.path.splitext(name)[1]
    code = is_code(name) or (not ending and os.access(path, os.X_OK))
    if is_inside(relative, builds):
        return code or _message_suffix(name) in _MESSAGES
    if ending == METADATA and has_binary(Path(path)):
        return True
    if code:
        return recognise.may_be_code(_beginning(path, recognise.LONGEST_START))
    return not any(map(_is_passed_by, relative.split("/")[:-1])) and sniffer.says_counts(path, name)


def is_code(name: str) -> bool:
    """By its name: programs have none that tells."""
    return os.path.splitext(name)[1].lower().removeprefix(".") in CODE or ".so." in name


def is_inside(relative: str, folders: Iterable[str]) -> bool:
    return any(relative.startswith(f"{it}/") or it == "" for it in folders)


def is_message(name: str) -> bool:
    """By its name, whether a compiler or a profiler may have written it, and a person put it anywhere."""
    return _message_suffix(name) in MESSAGES_ANYWHERE and name not in _NO_MESSAGES


def _message_suffix(name: str) -> str:
    """`json` of `trace.json.gz` too."""
    stem, suffix = os.path.splitext(name.lower())
    return (os.path.splitext(stem)[1] if suffix == ".gz" else suffix).removeprefix(".")


class Sniffer:
    """What files outside of build folders are, by their beginnings; it looks at so many, and no more."""

    def __init__(self, files: int | None = None) -> None:
        self._files = MAX_SNIFFED if files is None else files
        self._bytes = MAX_SNIFFED_BYTES

    def says_counts(self, path: Path | str, name: str) -> bool:
        if not is_message(name) or self._files == 0 or self._bytes <= 0:
            return False
        most = MESSAGES_ANYWHERE[_message_suffix(name)]
        beginning = _beginning(path, most)
        self._files -= 1
        self._bytes -= len(beginning)
        return not triton.looks_like(beginning) and recognise.says_counts(beginning, most, str(path))


def _beginning(path: Path | str, most: int) -> bytes:
    note(str(path), most)
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            return os.read(descriptor, most)
        finally:
            os.close(descriptor)
    except OSError:  # gone, a folder, or not for us
        return b""


def find(root: Path, globs: Iterable[str], also: Callable[[str, str], bool] | None = None) -> Found:
    """The plain files below `root` whose path from it matches a glob: `*`, `?`, `[a-z]`, and `**` for any folders.

    `also`: whether to take another file, by its path, absolute and from the root.
    """
    patterns = tuple(dict.fromkeys(globs))
    if not patterns:
        return Found(())
    walk = _Walk(root, patterns)
    paths: list[Path] = []
    large: list[Path] = []
    left = MAX_TOTAL
    for place, relative in walk.entries():
        named = matches_any(patterns, relative)
        if not named and (also is None or not also(place, relative)):
            continue
        path = Path(place)
        if os.path.isdir(path):
            if named and path.suffix:  # a folder named like a file; any other is only on the way
                walk.problems.append(Problem(str(path), 0, 0, "not read: a folder"))
            continue
        size = _size(path)
        if size > MAX_BYTES and not named:
            large.append(path)
            continue
        left -= min(size, MAX_BYTES)
        if len(paths) == MAX_FILES or left < 0:
            message = f"only the first {len(paths)} files are read: too many or too large"
            walk.problems.append(Problem(str(root), 0, 0, message))
            break
        paths.append(path)
    return Found(tuple(paths), tuple(walk.problems), tuple(large), tuple(walk.links))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def from_root(root: Path | None, path: Path) -> str | None:
    """From the root, with slashes; None: outside it, or the root itself, which is no build folder."""
    if root is None or root not in path.parents:
        return None
    return path.relative_to(root).as_posix()


def matches_any(globs: tuple[str, ...], relative: str) -> bool:
    """As `matches`, for many paths: globs that ask for a file's name alone are one expression."""
    names, others = _apart(globs)
    return names.fullmatch(relative.rsplit("/", 1)[-1]) is not None or any(matches(it, relative) for it in others)


@remembered(16)
def _apart(globs: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    named = [it for it in globs if _NAME_ALONE.fullmatch(it)]
    patterns = [translate(it.removeprefix("**/")) for it in named]
    return re.compile("|".join(patterns) or "(?!)"), tuple(it for it in globs if it not in named)


def matches(glob: str, relative: str) -> bool:
    """Whether a path, its names parted by slashes, matches. In time of the product of their lengths at most."""
    parts, names = _parts(glob), relative.split("/")
    if not parts or (parts[-1] != "**" and not fnmatchcase(names[-1], parts[-1])):
        return False
    states = _reached({0}, parts)
    for name in names:
        step = {s if parts[s] == "**" else s + 1 for s in states if s < len(parts) and fnmatchcase(name, parts[s])}
        states = _reached(step, parts)
    return len(parts) in states


def _reached(states: set[int], parts: tuple[str, ...]) -> set[int]:
    """With the states after every `**` that may stand for no folder at all."""
    reached = set(states)
    for state in range(len(parts)):
        if state in reached and parts[state] == "**":
            reached.add(state + 1)
    return reached


@remembered(256)
def _parts(glob: str) -> tuple[str, ...]:
    return tuple(part for part in glob[:1024].replace("\\", "/").split("/") if part not in ("", "."))


def read_sidecar(path: Path) -> Reading:
    """What the file says, each usage with the time the file was changed."""
    found = read_file(path, MAX_BYTES)
    if isinstance(found, Problem):
        return Reading(problems=(found,))
    if found is None or is_spoken_for(path):
        return Reading()
    reading = joined(path, found.data) or recognise.read(found.data, str(path))
    return replace(reading, usages=tuple(replace(usage, mtime=found.mtime) for usage in reading.usages))


def read_presets(root: Path, globs: Iterable[str]) -> tuple[Mapping[str, bytes], tuple[Problem, ...]]:
    """Texts for `Catalogue` by path, of the user's own devices below `root`. Never raises."""
    found = find(root, globs)
    texts: dict[str, bytes] = {}
    problems = list(found.problems)
    for path in found.paths:
        content = read_file(path, MAX_BYTES)
        if isinstance(content, Problem):
            problems.append(content)
        elif isinstance(content, Content):
            texts[str(path)] = content.data
    return texts, tuple(problems)


class _Walk:
    """All entries below a folder, within bounds, in order of their names; links count only if they stay below it."""

    def __init__(self, root: Path, globs: tuple[str, ...]) -> None:
        self.root = root
        self.globs = globs
        self.real = os.path.realpath(root)
        self.problems: list[Problem] = []
        self.links: list[Path] = []

    def entries(self) -> Iterator[tuple[str, str]]:
        """Each path, absolute and from the root with slashes: as text, as hardly any is looked at further."""
        left = MAX_ENTRIES
        stack = [(str(self.root), "", 0)]
        while stack:
            folder, prefix, depth = stack.pop()
            folders = []
            entries = _listed(folder)
            if depth and not _ENVIRONMENTS.isdisjoint(it.name for it in entries) and not self.named(prefix):
                continue
            for entry in entries:
                left -= 1
                if left < 0:
                    self.problems.append(
                        Problem(str(self.root), 0, 0, f"only the first {MAX_ENTRIES} entries are read")
                    )
                    return
                path, relative = entry.path, prefix + entry.name
                if entry.is_symlink() and not stays_in(path, self.real):
                    if not depth and (entry.name in _OF_BAZEL or is_build_folder(entry.name)) and os.path.isdir(path):
                        self.links.append(Path(path))
                    continue
                yield path, relative
                if depth < MAX_DEPTH and entry.is_dir(follow_symlinks=False) and self.wanted(entry.name, relative):
                    folders.append((path, f"{relative}/", depth + 1))
            stack.extend(reversed(folders))

    def wanted(self, name: str, relative: str) -> bool:
        """Other hidden folders and those of tools only where a glob names them."""
        return not _is_passed_by(name) or self.named(f"{relative}/")

    def named(self, prefix: str) -> bool:
        """Whether a glob names the folder."""
        return any(glob.startswith(prefix) for glob in self.globs)


def _is_passed_by(folder: str) -> bool:
    return folder in _SKIPPED or (folder.startswith(".") and not folder.startswith(_HIDDEN))


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []  # gone, or not for us
