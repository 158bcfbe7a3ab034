"""The commands that say what targets are made of and how these sources are compiled (cmake-commands(7))."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from occupancy_lsp.workspace.cmake.reading import CMakeCommand, Reading
from occupancy_lsp.workspace.cmake.targets import (
    DEFINITIONS,
    FLAGS,
    INCLUDES,
    LINKS,
    OPTIONS,
    Properties,
    PropertyValue,
    Target,
    add,
)
from occupancy_lsp.workspace.cmake.values import MAYBE, is_open, is_true, joined

_KINDS = frozenset(("STATIC", "SHARED", "MODULE", "OBJECT", "INTERFACE", "IMPORTED", "GLOBAL", "UNKNOWN"))
_KINDS |= {"WIN32", "MACOSX_BUNDLE", "EXCLUDE_FROM_ALL", "SYSTEM", "NO_EXTRAS", "THIN_LTO", "OPT_SIZE", "LTO"}
# Properties that variables of the same names say for targets made after them.
_AT_FIRST = (
    "CUDA_STANDARD", "CXX_STANDARD", "HIP_STANDARD", "CUDA_ARCHITECTURES", "HIP_ARCHITECTURES",
    "CUDA_SEPARABLE_COMPILATION",
)  # fmt: skip
_SCOPES = ("PRIVATE", "PUBLIC", "INTERFACE", "LINK_PRIVATE", "LINK_PUBLIC", "LINK_INTERFACE_LIBRARIES")
_LISTS = {
    "INCLUDE_DIRECTORIES": INCLUDES,
    "COMPILE_OPTIONS": OPTIONS,
    "COMPILE_DEFINITIONS": DEFINITIONS,
    "COMPILE_FLAGS": FLAGS,
}


def _add_target(reading: Reading, words: list[str]) -> None:
    if len(words) < 1 or is_open(words[0]):
        return
    if words[1:2] == ["ALIAS"]:
        if (aliased := reading.targets.get(words[2] if len(words) > 2 else "")) is not None:
            reading.targets[words[0]] = aliased
        return
    _add_sources(reading, _made(reading, words[0]), [it for it in words[1:] if it not in _KINDS])


def _made(reading: Reading, name: str) -> Target:
    """What its directory has said by now of options and folders goes for it."""
    target = reading.targets.get(name)
    if target is None:
        around = reading.directory.properties
        by_now = {it: [*around.get(it, [])] for it in (OPTIONS, INCLUDES)}
        target = Target(name, reading.directory, reading.doubts, by_now)
        reading.targets[name] = target
        for known in _AT_FIRST:
            if value := reading.value(f"CMAKE_{known}"):
                add(target.properties, known, PropertyValue(value, reading.doubts))
    return target


def _add_sources(reading: Reading, target: Target, words: Iterable[str]) -> None:
    for word in words:
        name = word.lstrip(MAYBE)
        if "$<" not in name and not is_open(name):
            target.sources[reading.path(name)] = None


def _cuda_add(reading: Reading, words: list[str]) -> None:
    """FindCUDA's: the directory's flags are taken as they are now."""
    separately = is_true(reading.value("CUDA_SEPARABLE_COMPILATION"))
    own = () if separately is False else ("-rdc=true" if separately else f"{MAYBE}-rdc=true",)
    _find_cuda(reading, words, "OPTIONS", "CUDA_NVCC_FLAGS", own)


def _hip_add(reading: Reading, words: list[str]) -> None:
    """FindHIP's."""
    _find_cuda(reading, words, "HIPCC_OPTIONS", "HIP_HIPCC_FLAGS")


def _find_cuda(reading: Reading, words: list[str], keyword: str, variable: str, own: Sequence[str] = ()) -> None:
    ends = [at for at, it in enumerate(words) if it in ("OPTIONS", "HIPCC_OPTIONS", "NVCC_OPTIONS", "CLANG_OPTIONS")]
    _add_target(reading, words[: ends[0]] if ends else words)
    target = reading.targets.get(words[0]) if words else None
    if target is None:
        return
    at = words.index(keyword) + 1 if keyword in words else len(words)
    end = next((it for it in ends if it > at), len(words))
    flags = [*reading.value(variable).split(";"), *words[at:end], *own]
    add(target.properties, OPTIONS, PropertyValue(joined(filter(None, flags)), reading.doubts))


def _target_sources(reading: Reading, words: list[str]) -> None:
    if (target := reading.targets.get(words[0] if words else "")) is not None:
        _add_sources(reading, target, [it for it in words[1:] if it not in _SCOPES])


def _scoped(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    scope, found = "PUBLIC", list[str]()
    for word in words:
        if word in _SCOPES:
            yield scope, found
            scope, found = word, []
        elif word not in ("BEFORE", "SYSTEM", "AFTER"):
            found.append(word)
    yield scope, found


def _says(name: str, change: Callable[[Reading, str], str]) -> CMakeCommand:
    """`target_…(target PRIVATE|PUBLIC|INTERFACE words…)`."""

    def command(reading: Reading, words: list[str]) -> None:
        target = reading.targets.get(words[0] if words else "")
        if target is None:
            return
        for scope, found in _scoped(words[1:]):
            said = PropertyValue(joined(change(reading, it) for it in found), reading.doubts)
            if found and "INTERFACE" not in scope:
                add(target.properties, name, said)
            if found and "PRIVATE" not in scope:
                add(target.passed_on, name, said)

    return command


def _folder(reading: Reading, word: str) -> str:
    plain = word.lstrip(MAYBE)
    known = plain.startswith("$<") or is_open(plain)
    return word if known else word[: len(word) - len(plain)] + str(reading.path(plain))


def _definition(reading: Reading, word: str) -> str:
    plain = word.lstrip(MAYBE)
    return word[: len(word) - len(plain)] + plain.removeprefix("-D")


def _as_it_is(reading: Reading, word: str) -> str:
    return word


def _of_directory(name: str, change: Callable[[Reading, str], str]) -> CMakeCommand:
    def command(reading: Reading, words: list[str]) -> None:
        found = [change(reading, it) for it in words if it not in ("BEFORE", "AFTER", "SYSTEM")]
        said = PropertyValue(joined(found), reading.doubts)
        add(reading.directory.properties, name, said)
        if name == INCLUDES:
            for target in reading.targets.values():
                if target.directory is reading.directory:
                    add(target.properties, name, said)

    return command


def _add_definitions(reading: Reading, words: list[str]) -> None:
    for word in words:
        plain = word.lstrip(MAYBE)
        name = DEFINITIONS if plain.startswith("-D") else OPTIONS
        text = _definition(reading, word) if name == DEFINITIONS else word
        add(reading.directory.properties, name, PropertyValue(text, reading.doubts))


def _target_compile_features(reading: Reading, words: list[str]) -> None:
    if (target := reading.targets.get(words[0] if words else "")) is None:
        return
    for scope, found in _scoped(words[1:]):
        for word in found:
            if match := re.fullmatch(r"(cuda|cxx|hip)_std_(\d\d)", word):
                for properties in _chosen(target, scope):
                    add(properties, f"{match[1].upper()}_FEATURE", PropertyValue(match[2], reading.doubts))


def _chosen(target: Target, scope: str) -> Iterator[Properties]:
    if "INTERFACE" not in scope:
        yield target.properties
    if "PRIVATE" not in scope:
        yield target.passed_on


def _set_target_properties(reading: Reading, words: list[str]) -> None:
    at = words.index("PROPERTIES") if "PROPERTIES" in words else len(words)
    for name, value in zip(words[at + 1 :: 2], words[at + 2 :: 2], strict=False):
        for target in words[:at]:
            _set_of_target(reading, target, name, value, False)


def _set_of_target(reading: Reading, name: str, key: str, value: str, adds: bool) -> None:
    if (target := reading.targets.get(name)) is None:
        return
    properties = target.passed_on if key.startswith("INTERFACE_") else target.properties
    key = _LISTS.get(key.removeprefix("INTERFACE_"), key.removeprefix("INTERFACE_"))
    add(properties, key, PropertyValue(value, reading.doubts, adds or key not in _LISTS.values()))


def _set_source_files_properties(reading: Reading, words: list[str]) -> None:
    at = words.index("PROPERTIES") if "PROPERTIES" in words else len(words)
    for name, value in zip(words[at + 1 :: 2], words[at + 2 :: 2], strict=False):
        for source in words[:at]:
            _set_of_source(reading, source, name, value)


def _set_of_source(reading: Reading, source: str, key: str, value: str) -> None:
    if source not in ("DIRECTORY", "TARGET_DIRECTORY") and not is_open(source.lstrip(MAYBE)):
        properties = reading.sources.setdefault(reading.path(source.lstrip(MAYBE)), {})
        add(properties, _LISTS.get(key, key), PropertyValue(value, reading.doubts))


def _set_property(reading: Reading, words: list[str]) -> None:
    """`GLOBAL|TARGET names…|SOURCE names… [APPEND] PROPERTY name values…`."""
    at = words.index("PROPERTY") if "PROPERTY" in words else len(words)
    names = [it for it in words[1:at] if it not in ("APPEND", "APPEND_STRING")]
    adds = len(names) < at - 1
    if at + 1 >= len(words):
        return
    key, value = words[at + 1], joined(words[at + 2 :])
    match words[0]:
        case "GLOBAL":
            before = reading.globals.get(key, "")
            reading.globals[key] = f"{before};{value}" if adds and before else value
        case "TARGET":
            for name in names:
                _set_of_target(reading, name, key, value, adds)
        case "SOURCE":
            for name in names:
                _set_of_source(reading, name, key, value)
        case "DIRECTORY":
            if key in _LISTS:
                add(reading.directory.properties, _LISTS[key], PropertyValue(value, reading.doubts, adds))


BUILDING: Mapping[str, CMakeCommand] = {
    **dict.fromkeys(("add_executable", "add_library", "pybind11_add_module", "python_add_library"), _add_target),
    **dict.fromkeys(("cuda_add_executable", "cuda_add_library"), _cuda_add),
    **dict.fromkeys(("hip_add_executable", "hip_add_library"), _hip_add),
    "target_sources": _target_sources,
    "target_include_directories": _says(INCLUDES, _folder),
    "target_compile_definitions": _says(DEFINITIONS, _definition),
    "target_compile_options": _says(OPTIONS, _as_it_is),
    "target_link_libraries": _says(LINKS, _as_it_is),
    "target_compile_features": _target_compile_features,
    "include_directories": _of_directory(INCLUDES, _folder),
    "cuda_include_directories": _of_directory(INCLUDES, _folder),
    "add_compile_definitions": _of_directory(DEFINITIONS, _definition),
    "add_compile_options": _of_directory(OPTIONS, _as_it_is),
    "add_definitions": _add_definitions,
    "set_target_properties": _set_target_properties,
    "set_source_files_properties": _set_source_files_properties,
    "set_property": _set_property,
}
