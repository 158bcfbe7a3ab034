"""`meson.build` → the command by which a target compiles a source, and what of it is in doubt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.compile_commands import Command, Made
from occupancy_lsp.workspace.compile_flags import VALUED, absolute
from occupancy_lsp.workspace.doubts import Doubts, Item, TooMuch, Unknown
from occupancy_lsp.workspace.make.reading import text_of
from occupancy_lsp.workspace.meson.reading import (
    CUDA,
    NAME,
    Dependency,
    Folders,
    Program,
    Reading,
    Target,
    flat,
    is_nvcc,
    options_in,
)

_PROJECT = regex(r"^[ \t]*project[ \t]*\(", re.MULTILINE)
# mesonbuild/compilers/cuda.py (1.12): what nvcc is given for an `optimization`.
_OPTIMISES = {"0": ("-G",), "g": ("-O0",), "1": ("-O1",), "2": ("-O2", "-lineinfo"), "3": ("-O3",), "s": ("-O3",)}
_BY_TYPE = {"debug": "0", "debugoptimized": "2", "release": "3", "minsize": "s", "plain": "plain"}
# Since 1.8, with nvcc 12.9 or later; and since 1.2.
_CHECKS = ("-DCCCL_ENABLE_ASSERTIONS=1", "-D_GLIBCXX_ASSERTIONS=1")
_WITHOUT = ("threads", "openmp", "dl", "python", "python3")  # dependencies that say nothing to device code
# What such options say is no matter of a kernel's code: devices tell for which architectures.
_NO_MATTER = ("-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--gpu-code")
_WORK_OF_ITEM = 4  # times that of a look at one
_DEEPEST = 6  # dependencies within dependencies
_OF_FILES = ("-c", "-o", "@INPUT@", "@INPUT0@", "@OUTPUT@", "@OUTPUT0@")


def command_by_meson(source: Path, root: Path, alike: Callable[[Sequence[Command]], bool]) -> tuple[Made, Path] | None:
    """How the nearest project of Meson's around the source compiles it, and its file.

    `source`: absolute, below `root`. `alike`: whether commands mean the same. None: none tells, or several of its
    targets compile it in ways that do not mean the same. Never raises.
    """
    for folder in source.parents:
        path = folder / NAME
        text = text_of(path, root) if path.is_file() else None
        if text is not None and _PROJECT.search(text):
            found = _commands(Reading(folder, root), source)
            if found:
                same = alike([it.command for it in found]) and len({it.doubted for it in found}) == 1
                return (found[0], path) if same else None
        if folder == root:
            return None
    return None


def _commands(reading: Reading, source: Path) -> list[Made]:
    try:
        reading.read()
        return [it for target in reading.targets for it in _of_target(reading, target, source)]
    except (ValueError, RecursionError, TooMuch, OSError):
        return []


def _of_target(reading: Reading, target: Target, source: Path) -> Iterator[Made]:
    if not any(it.value == source for it in _sources(target)):
        return
    if target.program:
        given = flat(target.given.get("command"), target.doubts)
        if not given or not _is_compiler(given[0].value):
            return
        said = [Item(_word(it.value, target.folder), it.doubts) for it in given[1:]]
    else:
        said = [*_optimising(reading, target), *_of_folders(target), *target.arguments.items]
        said += _of_dependencies(target.given.get("dependencies"), target.doubts)
        said += flat(target.given.get("cuda_args"), target.doubts)
    reading.step(_WORK_OF_ITEM * sum(1 + len(it.doubts) for it in said))
    known: list[str] = []
    doubted: dict[tuple[str, ...], None] = {}
    strange: dict[str, None] = {}
    for words, doubts, unknown in _options(said):
        if unknown is not None:
            strange |= {} if unknown.startswith(_NO_MATTER) else {unknown: None}
        elif doubts <= target.doubts:
            known += words
        else:
            doubted[words] = None
    command = Command(str(target.folder), ("nvcc", *known, "-c", str(source)))
    yield Made(command, tuple(word for words in doubted for word in words), tuple(strange))


def _options(said: Sequence[Item]) -> Iterator[tuple[tuple[str, ...], Doubts, str | None]]:
    """An option goes with its value. The last: of what is not known, how it is written."""
    rest = iter(it for it in said if it.value not in _OF_FILES)
    for it in rest:
        valued = isinstance(it.value, str) and VALUED.fullmatch(it.value) is not None
        parts = [it, *islice(rest, 1)] if valued else [it]
        unknown = next((one.value for one in parts if not isinstance(one.value, str)), None)
        doubts = frozenset[tuple[int, int]]().union(*(one.doubts for one in parts))
        text = (unknown.text if isinstance(unknown, Unknown) else str(unknown)[:80]) if unknown is not None else None
        yield tuple(one.value for one in parts if isinstance(one.value, str)), doubts, text


def _sources(target: Target) -> Iterator[Item]:
    """Its own, and those of the dependencies that it declares."""
    yield from target.sources.items
    for it in flat(target.given.get("dependencies"), target.doubts):
        if isinstance(it.value, Dependency):
            of = it.value.given.get("sources")
            yield from (
                Item(absolute(str(target.folder), one.value), one.doubts) if isinstance(one.value, str) else one
                for one in flat(of, it.doubts)
            )


def _is_compiler(value: object) -> bool:
    return (isinstance(value, Program) and bool(value.name)) or (isinstance(value, str) and is_nvcc(value))


def _word(value: object, folder: Path) -> object:
    if isinstance(value, str):
        return value.replace("@CURRENT_SOURCE_DIR@", str(folder))
    return value if isinstance(value, Unknown) else Unknown(str(value)[:80])


def _optimising(reading: Reading, target: Target) -> Iterator[Item]:
    """By the options of the project; what is chosen by whoever sets the build up has a default, and that is `debug`."""
    stated = reading.stated | options_in(target.given.get("override_options"))
    level = stated.get("optimization") or _BY_TYPE.get(stated.get("buildtype", ""))
    doubt: Doubts = frozenset({(0, 0)})
    for word in _OPTIMISES.get(level or "0", ()):
        yield Item(word, target.doubts if level else target.doubts | doubt)
    standard = stated.get("cuda_std", "none")
    if standard != "none":
        yield Item(f"--std={standard}", target.doubts)
    without = stated.get("b_ndebug", "false")
    if without == "true" or (without == "if-release" and stated.get("buildtype") in ("release", "plain")):
        yield Item("-DNDEBUG", target.doubts)
    else:
        yield from (Item(it, target.doubts | doubt) for it in _CHECKS)


def _of_folders(target: Target) -> Iterator[Item]:
    """Its own folder among them."""
    yield Item(f"-I{target.folder}", target.doubts)
    for it in flat(target.given.get("include_directories"), target.doubts):
        yield from _as_words(it, target.folder)


def _as_words(it: Item, folder: Path) -> Iterator[Item]:
    if isinstance(it.value, Folders):
        yield from (Item(f"-I{path}", it.doubts) for path in it.value.paths)
    elif isinstance(it.value, str):
        yield Item(f"-I{absolute(str(folder), it.value)}", it.doubts)
    else:
        yield Item(it.value if isinstance(it.value, Unknown) else Unknown("include_directories"), it.doubts)


def _of_dependencies(value: object, doubts: Doubts, deep: int = 0) -> Iterator[Item]:
    for it in flat(value, doubts) if deep < _DEEPEST else ():
        if not isinstance(it.value, Dependency):
            yield Item(Unknown("dependencies"), it.doubts)
        elif not it.value.name:
            yield from _of_declared(it.value.given, it.doubts, deep)
        elif not it.value.name.lower().startswith((CUDA, *_WITHOUT)):
            yield Item(Unknown(f"dependency('{it.value.name}')"), it.doubts)


def _of_declared(given: Mapping[str, object], doubts: Doubts, deep: int) -> Iterator[Item]:
    for it in flat(given.get("include_directories"), doubts):
        yield from _as_words(it, Path())
    yield from flat(given.get("compile_args"), doubts)
    yield from _of_dependencies(given.get("dependencies"), doubts, deep + 1)
