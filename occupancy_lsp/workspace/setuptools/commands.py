"""`setup.py` → the command by which PyTorch compiles a source of an extension, and what of it is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from occupancy_lsp.workspace.compile_commands import Command, Made
from occupancy_lsp.workspace.compile_flags import absolute
from occupancy_lsp.workspace.doubts import Doubts, Item, Items, Several, Table, TooMuch, Unknown, items_of, resolved
from occupancy_lsp.workspace.make.reading import text_of
from occupancy_lsp.workspace.setuptools.reading import Extension, Reading
from occupancy_lsp.workspace.setuptools.scripts import NAME, scripts_naming

# What BuildExtension itself gives nvcc: torch/utils/cpp_extension.py, COMMON_NVCC_FLAGS, the same from 1.8 to 2.14.
# Where no standard is named it adds its version's own (C++17 since 2.1, C++20 in 2.14), which no text here tells.
_OF_TORCH = (
    "-D__CUDA_NO_HALF_OPERATORS__",
    "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-D__CUDA_NO_HALF2_OPERATORS__",
    "--expt-relaxed-constexpr",
)

# What such options say is no matter of a kernel's code: how many jobs, and the architectures, which devices tell.
_NO_MATTER = ("--threads", "-t=", "-gencode", "--generate-code", "-arch", "--gpu-architecture")


def command_by_setup(source: Path, root: Path, alike: Callable[[Sequence[Command]], bool]) -> tuple[Made, Path] | None:
    """How the nearest setup.py between the source's folder and the root compiles it, or another script that names it,
    and which one that is.

    `source`: absolute, below `root`. `alike`: whether commands mean the same. None: none tells, or several of its
    extensions compile it in ways that do not mean the same. Never raises.
    """
    for folder in source.parents:
        for path, run_in in (*_setup(folder), *scripts_naming(source, folder, root)):
            text = text_of(path, root) or ""
            for asked in (False, True):
                found = _commands(text, Reading(path, root, asked, run_in), source)
                if found:
                    same = alike([it.command for it in found]) and len({it.doubted for it in found}) == 1
                    return (found[0], path) if same else None
        if folder == root:
            return None
    return None


def _setup(folder: Path) -> list[tuple[Path, Path]]:
    return [(folder / NAME, folder)] if (folder / NAME).is_file() else []


def _commands(text: str, reading: Reading, source: Path) -> list[Made]:
    try:
        reading.read(text)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError, TooMuch, OSError):
        return []
    return [_command(it, reading.folder, source) for it in reading.made if _compiles(it, reading.folder, source)]


def _compiles(extension: Extension, folder: Path, source: Path) -> bool:
    names = (it.value for it in items_of(extension.given.get("sources"), extension.doubts))
    return any(isinstance(it, str) and absolute(str(folder), it) == source for it in names)


def _command(extension: Extension, folder: Path, source: Path) -> Made:
    doubts, given = extension.doubts, extension.given
    name = given.get("name")
    known = ["-DTORCH_API_INCLUDE_EXTENSION_H"]
    known += [f"-DTORCH_EXTENSION_NAME={name.rpartition('.')[2]}"] if isinstance(name, str) else []
    doubted: list[str] = []
    unread: list[str] = []
    for item in items_of(given.get("include_dirs", Items()), doubts):
        if isinstance(item.value, str):
            known.append(f"-I{absolute(str(folder), item.value)}")
    for item in items_of(given.get("define_macros", Items()), doubts):
        _sort(Item(_macro(item.value), item.doubts), doubts, known, doubted, unread)
    known += _OF_TORCH
    for item in _of_nvcc(given.get("extra_compile_args", Items()), doubts):
        _sort(item, doubts, known, doubted, unread)
    command = Command(str(folder), ("nvcc", *known, "-c", str(source)))
    return Made(command, tuple(dict.fromkeys(doubted)), tuple(dict.fromkeys(unread)))


def _of_nvcc(given: object, doubts: Doubts) -> list[Item]:
    """A list is for all compilers, a dictionary has one for each."""
    if isinstance(given, Table):
        history = given.keys.get("nvcc")
        return items_of(resolved(history.said, doubts), doubts) if history is not None else []
    return items_of(given, doubts)


def _macro(value: object) -> object:
    """Of `(name, text)`."""
    if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)):
        return Unknown("define_macros")
    if value[1] is not None and not isinstance(value[1], str | int):
        return Unknown(f"-D{value[0]}")
    return f"-D{value[0]}" if value[1] is None else f"-D{value[0]}={value[1]}"


def _sort(item: Item, doubts: Doubts, known: list[str], doubted: list[str], unread: list[str]) -> None:
    if isinstance(item.value, Several):
        for it in item.value.values:
            _sort(Item(it.value, it.doubts | item.doubts), doubts, known, doubted, unread)
    elif not isinstance(item.value, str):
        text = getattr(item.value, "text", "") or "an expression"
        unread += () if text.startswith(_NO_MATTER) else (text,)
    elif item.doubts <= doubts:
        known.append(item.value)
    else:
        doubted.append(item.value)
