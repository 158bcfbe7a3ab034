"""The commands that matter to how a source is compiled (cmake-commands(7)); those of targets are in `building.py`."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Mapping
from itertools import islice, pairwise
from pathlib import Path

from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.cmake.conditions import Word
from occupancy_lsp.workspace.cmake.configured import configured
from occupancy_lsp.workspace.cmake.reading import CMakeCommand, Reading
from occupancy_lsp.workspace.cmake.values import UNKNOWN, either, elements, is_open, joined
from occupancy_lsp.workspace.compile_flags import absolute
from occupancy_lsp.workspace.make.reading import text_of

_KITS = regex(r"CUDA|CUDAToolkit|HIP|hip|Threads")  # a source for devices is compiled where they are
_MOST_ENTRIES = 20_000  # of a folder that is searched


def _project(reading: Reading, words: list[str]) -> None:
    folder = str(reading.directory.folder)
    name = words[0] if words else ""
    given = {"PROJECT_NAME": name, "PROJECT_SOURCE_DIR": folder, f"{name}_SOURCE_DIR": folder}
    reading.variables.update(given)
    reading.cache[f"{name}_SOURCE_DIR"] = folder
    reading.cache.setdefault("CMAKE_PROJECT_NAME", name)


def _set(reading: Reading, words: list[str]) -> None:
    if not words or words[0].startswith("ENV{"):
        return
    name, rest = words[0], words[1:]
    if "CACHE" in rest:
        at = rest.index("CACHE")
        value = reading.is_turned_on(name, joined(rest[:at]))
        if reading.cache.get(name) in (None, "") or "FORCE" in rest[at:]:
            reading.cache[name] = value
            reading.build_type_asked &= name != "CMAKE_BUILD_TYPE"  # only whether there is one, before it was set
            if "FORCE" in rest[at:]:
                reading.variables.pop(name, None)
    elif not rest:
        reading.variables.pop(name, None)
    elif rest[-1] == "PARENT_SCOPE":
        reading.assign(name, joined(rest[:-1]), above=True)
    else:
        reading.assign(name, joined(rest))


def _unset(reading: Reading, words: list[str]) -> None:
    for known in (reading.variables, reading.cache) if "CACHE" in words else (reading.variables,):
        known.pop(words[0] if words else "", None)


def _option(reading: Reading, words: list[str]) -> None:
    if words and reading.get(words[0]) is None:
        reading.cache[words[0]] = reading.is_turned_on(words[0], words[2] if len(words) > 2 else "OFF")


def _dependent_option(reading: Reading, words: list[str]) -> None:
    if len(words) >= 5 and reading.get(words[0]) is None:
        both = [reading.is_turned_on(words[0], words[2]), words[4]]
        said = [reading.conditions.answer([Word(it, True) for it in part.split()]) for part in elements(words[3])]
        holds = False if False in said else None if None in said else True
        reading.cache[words[0]] = either(both) if holds is None else both[0] if holds else both[1]


def _add_subdirectory(reading: Reading, words: list[str]) -> None:
    if words and not is_open(words[0]):
        reading.read_directory(reading.path(words[0]))


def _include(reading: Reading, words: list[str]) -> None:
    """A file of the workspace; CMake's own modules say nothing of flags by themselves."""
    if not words or is_open(words[0]):
        return
    folders = [it for it in elements(reading.value("CMAKE_MODULE_PATH")) if not is_open(it)]
    paths = [reading.path(words[0]), *(absolute(it, f"{words[0]}.cmake") for it in folders)]
    found = next((it for it in paths if it.is_file() and reading.is_inside(str(it))), None)
    if found is not None:
        reading.read_file(found)


def _find_package(reading: Reading, words: list[str]) -> None:
    """What it finds only the machine knows."""
    if words and not _KITS.fullmatch(words[0]):
        reading.packages.add(words[0].lower())
        found = "TRUE" if "REQUIRED" in words else _was_found(reading, words[0])
        reading.variables.update({f"{words[0]}_FOUND": found, f"{words[0].upper()}_FOUND": found})


def _was_found(reading: Reading, package: str) -> str:
    """When the project was configured."""
    if f"FIND_PACKAGE_MESSAGE_DETAILS_{package}" in reading.cache:
        return "TRUE"
    where = reading.cache.get(f"{package}_DIR", UNKNOWN)
    return where if is_open(where) else "FALSE" if where.endswith("-NOTFOUND") else "TRUE"


def _sets_first(reading: Reading, words: list[str]) -> None:
    for name in words[:1]:
        if name not in reading.variables and name not in reading.cache:
            reading.assign(name, UNKNOWN)


def _sets_last(reading: Reading, words: list[str]) -> None:
    for name in words[-1:]:
        reading.assign(name, UNKNOWN)


def _execute_process(reading: Reading, words: list[str]) -> None:
    """It is not run."""
    for option, name in pairwise(words):
        if option.endswith("_VARIABLE"):
            reading.assign(name, UNKNOWN)


def _file(reading: Reading, words: list[str]) -> None:
    if len(words) < 2:
        return
    if words[0] in ("GLOB", "GLOB_RECURSE"):
        reading.assign(words[1], joined(_globbed(reading, words[0] == "GLOB_RECURSE", words[2:])))
    elif words[0] in ("READ", "STRINGS", "MD5", "SHA256", "SIZE", "REAL_PATH", "READ_SYMLINK"):
        reading.assign(words[2] if len(words) > 2 and words[0] not in ("REAL_PATH",) else words[-1], UNKNOWN)
    elif words[0] == "RELATIVE_PATH" and len(words) == 4:
        reading.assign(words[1], _relative(*words[2:]))
    elif words[0] in ("TO_CMAKE_PATH", "TO_NATIVE_PATH"):
        reading.assign(words[-1], UNKNOWN)


def _relative(folder: str, path: str) -> str:
    """Between two folders that are known, or two of the build."""
    if folder.startswith(UNKNOWN) and path.startswith(UNKNOWN):
        folder, path = folder[1:], path[1:]
    known = not is_open(folder + path) and os.path.isabs(folder) and os.path.isabs(path)
    return Path(os.path.relpath(path, folder)).as_posix() if known else UNKNOWN


def _globbed(reading: Reading, deep: bool, words: list[str]) -> list[str]:
    """Files of the workspace, in the order in which CMake has them."""
    relative = ""
    patterns: list[Path] = []
    rest = iter(words)
    for word in rest:
        if word == "RELATIVE":
            relative = next(rest, "")
        elif word == "LIST_DIRECTORIES":
            next(rest, "")
        elif word not in ("CONFIGURE_DEPENDS", "FOLLOW_SYMLINKS") and not is_open(word):
            patterns.append(reading.path(word))
    found: dict[str, None] = {}
    for pattern in patterns:
        if len(str(pattern)) < 500 and not any(it in str(pattern.parent) for it in "*?["):
            found.update(dict.fromkeys(sorted(_matching(reading, pattern, deep))))
    return [os.path.relpath(it, relative) for it in found] if relative and not is_open(relative) else list(found)


def _matching(reading: Reading, pattern: Path, deep: bool) -> list[str]:
    if not reading.is_inside(str(pattern.parent)):
        return []
    found: list[str] = []
    left = _MOST_ENTRIES
    for folder, folders, names in os.walk(pattern.parent):
        left -= len(names) + 1
        found += (os.path.join(folder, it) for it in names if fnmatch.fnmatchcase(it, pattern.name))
        if not deep or left < 0:
            break
        folders.sort()
    return list(islice(found, _MOST_ENTRIES))


def _configure_file(reading: Reading, words: list[str]) -> None:
    text = text_of(reading.path(words[0]), reading.root) if len(words) > 1 and not is_open(words[0]) else None
    if text is not None and "COPYONLY" not in words:
        made = configured(text, reading.get, "@ONLY" in words)
        reading.configured[words[1]] = made if words[1] not in reading.configured else None


def _get_filename_component(reading: Reading, words: list[str]) -> None:
    if len(words) < 3:
        return
    path = words[1]
    match words[2]:
        case "DIRECTORY" | "PATH":
            value = os.path.dirname(path)
        case "NAME":
            value = os.path.basename(path)
        case "NAME_WE":
            value = os.path.basename(path).partition(".")[0]
        case "NAME_WLE":
            value = os.path.splitext(os.path.basename(path))[0]
        case "ABSOLUTE" | "REALPATH" if not is_open(path) and len(words) == 3:
            value = str(reading.path(path))
        case "EXT":
            value = path[path.find(".", path.rfind("/") + 1) :] if "." in os.path.basename(path) else ""
        case _:
            value = UNKNOWN
    reading.assign(words[0], value)


def _parse_arguments(reading: Reading, words: list[str]) -> None:
    if words[:1] == ["PARSE_ARGV"] and len(words) >= 6:
        given = [reading.value(f"ARGV{at}") for at in range(int(words[1]) if words[1].isdecimal() else 0, 20)]
        words = [*words[2:6], *filter(None, given)]
    if len(words) < 4:
        return
    prefix = words[0]
    options, ones, many = (elements(it) for it in words[1:4])
    found: dict[str, list[str]] = {}
    current = "UNPARSED_ARGUMENTS"
    for word in words[4:]:
        if word in options:
            found[word], current = ["TRUE"], "UNPARSED_ARGUMENTS"
        elif word in ones or word in many:
            found.setdefault(word, [])
            current = word
        else:
            found.setdefault(current, []).append(word)
            current = "UNPARSED_ARGUMENTS" if current in ones else current
    for name in (*options, *ones, *many, "UNPARSED_ARGUMENTS"):
        if found.get(name):
            reading.assign(f"{prefix}_{name}", joined(found[name]))
        elif name in options:
            reading.assign(f"{prefix}_{name}", "FALSE")
        else:
            reading.variables.pop(f"{prefix}_{name}", None)


def _get_property(reading: Reading, words: list[str]) -> None:
    known = len(words) == 4 and words[1:3] == ["GLOBAL", "PROPERTY"]
    if words:
        reading.assign(words[0], reading.globals.get(words[3], "") if known else UNKNOWN)


def _math(reading: Reading, words: list[str]) -> None:
    if len(words) >= 3:
        reading.assign(words[1], UNKNOWN)


def _list(reading: Reading, words: list[str]) -> None:
    reading.text_change("list", words)


def _string(reading: Reading, words: list[str]) -> None:
    reading.text_change("string", words)


KNOWN: Mapping[str, CMakeCommand] = {
    "project": _project,
    "set": _set,
    "unset": _unset,
    "option": _option,
    "cmake_dependent_option": _dependent_option,
    "add_subdirectory": _add_subdirectory,
    "include": _include,
    "find_package": _find_package,
    **dict.fromkeys(("find_path", "find_library", "find_program", "find_file"), _sets_first),
    **dict.fromkeys(("check_cxx_compiler_flag", "check_c_compiler_flag", "check_compiler_flag"), _sets_last),
    **dict.fromkeys(("check_cxx_source_compiles", "check_include_file", "check_symbol_exists"), _sets_last),
    **dict.fromkeys(("try_compile", "try_run", "cmake_host_system_information"), _sets_first),
    "execute_process": _execute_process,
    "file": _file,
    "configure_file": _configure_file,
    "get_filename_component": _get_filename_component,
    "cmake_parse_arguments": _parse_arguments,
    **dict.fromkeys(("get_property", "get_target_property", "get_source_file_property"), _get_property),
    "math": _math,
    "list": _list,
    "string": _string,
}
