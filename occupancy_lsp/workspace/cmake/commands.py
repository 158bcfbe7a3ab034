"""A project's CMake files → the command by which a source is compiled, and what of it is in doubt."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path

from occupancy_lsp.core.query import remembered
from occupancy_lsp.workspace.cmake.building import BUILDING
from occupancy_lsp.workspace.cmake.cache import Answers, answers_of
from occupancy_lsp.workspace.cmake.configured import Configured, merged
from occupancy_lsp.workspace.cmake.generators import Compiling
from occupancy_lsp.workspace.cmake.known import KNOWN
from occupancy_lsp.workspace.cmake.reading import EVERY, Reading
from occupancy_lsp.workspace.cmake.scikit_build import asked_by_scikit_build
from occupancy_lsp.workspace.cmake.targets import (
    DEFINITIONS,
    FLAGS,
    INCLUDES,
    LINKS,
    OPTIONS,
    Doubts,
    Properties,
    Target,
    value_of,
    variable_of,
    words_of,
)
from occupancy_lsp.workspace.cmake.values import MAYBE, UNKNOWN, TooMuch, elements, is_open, is_true
from occupancy_lsp.workspace.compile_commands import Command, Made
from occupancy_lsp.workspace.compile_flags import VALUED, split_command

NAME = "CMakeLists.txt"
_LANGUAGES = {".cu": "CUDA", ".hip": "HIP"}
_PROGRAMS = {"CUDA": "nvcc", "HIP": "hipcc"}
_MOST_OPTIONS = 8  # each costs a reading of the project
_MOST_LINKED = 500
_MOST_STATED = 50_000


Entries = tuple[tuple[str, str], ...]  # variables with their values


def command_by_cmake(
    source: Path, root: Path, alike: Callable[[Sequence[Command]], bool], toolkit: Entries = ()
) -> tuple[Made, Path] | None:
    """How a CMakeLists.txt between the root and the source's folder compiles it, and which one that is: the outermost
    that does.

    `source`: absolute, below `root`. `alike`: whether commands mean the same. `toolkit`: CMake's variables of CUDA's,
    as far as they are known. None: none tells, or several of its targets compile it in ways that do not mean the same.
    Never raises.
    """
    for folder in reversed([it for it in source.parents if it == root or root in it.parents]):
        if not (folder / NAME).is_file():
            continue
        for answers in filter(None, (answers_of(folder, root), asked_by_scikit_build(folder, root))):
            made = _as_configured(source, folder, root, replace(answers, entries=(*toolkit, *answers.entries)))
            if made and alike([it.command for it in made]) and len({it.doubted for it in made}) == 1:
                return made[0], folder / NAME
        for on in ("", *_asked_for(source, folder, root, toolkit)):
            found = _of_project(source, folder, root, on, toolkit)
            if found is None:
                break
            if found:
                same = alike([it.command for it in found]) and len({it.doubted for it in found}) == 1
                return (found[0], folder / NAME) if same else None
    return None


def configured_headers(source: Path, root: Path, toolkit: Entries = ()) -> Mapping[str, Configured]:
    """What configuring makes for a source, by the paths as far as they are known, with the options for devices on. What
    hangs on the type of the build is open."""
    for folder in reversed([it for it in source.parents if it == root or root in it.parents]):
        if not (folder / NAME).is_file():
            continue
        having = [on for on in ("", EVERY) if (it := _read(folder, root, "", on, toolkit)) and _compiles(it, source)]
        on = having[0] if having else EVERY
        readings = [_read(folder, root, kind, on, toolkit) for kind in ("", *_FOR_RELEASE)]
        several = [it.configured for it in readings if it is not None]
        every = {path: [made for it in several if (made := it.get(path))] for path in (several[0] if several else ())}
        return {path: reduce(merged, made) for path, made in every.items() if len(made) == len(several)}
    return {}


def _compiles(reading: Reading, source: Path) -> bool:
    return any(source in it.sources for it in reading.targets.values())


def _asked_for(source: Path, folder: Path, root: Path, toolkit: Entries) -> Iterator[str]:
    """The options that may bring the source in: each alone, those of its language first, then all together."""
    plain = _read(folder, root, "", "", toolkit)
    if plain is None or not plain.off:
        return
    own = _LANGUAGES.get(source.suffix, "")
    yield from sorted(plain.off, key=lambda it: (own not in it.upper(), len(it), it))[:_MOST_OPTIONS]
    yield EVERY


def _as_configured(source: Path, folder: Path, root: Path, answers: Answers) -> list[Made]:
    """As the build in sight compiles it."""
    if answers.build_type is None:
        found = _of_project(source, folder, root, "", answers.entries)
    else:
        reading = _read(folder, root, answers.build_type, "", answers.entries)
        found = _commands(reading, source, answers.build_type) if reading is not None else None
    return [replace(it, answers=answers.path) for it in found or ()]


def _of_project(source: Path, folder: Path, root: Path, on: str, cached: Entries = ()) -> list[Made] | None:
    """As built plainly. What a build of a type for release has else is in doubt, where the user says which type it is.

    None: that takes too much work.
    """
    plain = _read(folder, root, "", on, cached)
    if plain is None:
        return None
    found = _commands(plain, source, "")
    if not found:
        return []
    for kind, usual in _FOR_RELEASE.items():
        reading = _read(folder, root, kind, on, cached) if plain.build_type_asked else plain
        others = _commands(reading, source, kind) if reading is not None else []
        if len(others) == len(found):
            found = [_beside(one, other, usual) for one, other in zip(found, others, strict=True)]
    return found


def _read(folder: Path, root: Path, build_type: str, on: str, cached: Entries = ()) -> Reading | None:
    return _read_at(folder, root, build_type, on, cached, _state(folder))


@remembered(16)  # the sources of a project are asked for one after the other
def _read_at(
    folder: Path, root: Path, build_type: str, on: str, cached: Entries, state: tuple[int, int]
) -> Reading | None:
    """`state`: of the files below the folder, so that the answer is of these."""
    reading = Reading(folder, root, build_type, on, dict(cached), {**KNOWN, **BUILDING})
    try:
        reading.read_directory(folder)
    except (TooMuch, RecursionError, OSError, ValueError):
        return None
    return reading


def _state(folder: Path) -> tuple[int, int]:
    """Another one after a change of CMake's files, or of which files there are; as good as surely."""
    newest = number = 0
    for at, folders, names in os.walk(folder):
        folders[:] = [it for it in folders if not it.startswith(".")]
        for path in (at, *(os.path.join(at, it) for it in names if it == NAME or it.endswith(".cmake"))):
            try:
                status = os.stat(path)
            except OSError:
                continue
            number += 1
            newest ^= hash((path, status.st_mtime_ns, status.st_size))
        if number > _MOST_STATED:
            break
    return newest, number


def _beside(one: Made, other: Made, usual: Sequence[str]) -> Made:
    """`usual`: what the other has of CMake's own, whatever the project says."""
    more = [it for it in other.command.arguments if it not in one.command.arguments and it not in usual]
    less = [it for it in one.command.arguments if it not in other.command.arguments]
    known = tuple(it for it in one.command.arguments if it not in less)
    doubted = tuple(dict.fromkeys((*one.doubted, *other.doubted, *more, *less)))
    return Made(Command(one.command.directory, known), doubted, one.strange)


def _commands(reading: Reading, source: Path, build_type: str) -> list[Made]:
    found: dict[Made, None] = {}
    for name, target in reading.targets.items():
        if source in target.sources and name == target.name:  # else an alias
            try:
                found[_command(reading, target, source, build_type)] = None
            except (TooMuch, ValueError):
                continue
    return list(found)


def _command(reading: Reading, target: Target, source: Path, build_type: str) -> Made:
    own = reading.sources.get(source, {})
    language = value_of(own, "LANGUAGE", target.doubts) or _LANGUAGES.get(source.suffix, "CXX")
    build_type = variable_of(target, "CMAKE_BUILD_TYPE") or reading.cache["CMAKE_BUILD_TYPE"] or build_type
    compiler = "NVIDIA" if language == "CUDA" else "Clang"
    compiling = Compiling(language, compiler, build_type, frozenset(reading.targets))
    linked = _linked(reading, target)
    everything = [(it.properties if it is target else it.passed_on, doubts) for it, doubts in linked]
    words = [*_flags(reading, target, language, build_type), *_architectures(target, language)]
    words += _standard(everything, language)
    if is_true(value_of(target.properties, "CUDA_SEPARABLE_COMPILATION", target.doubts)):
        words.append("-rdc=true")
    for said in (*everything, (own, target.doubts)):
        words += _options(*said, compiling)
    around = target.directory.properties, target.doubts
    for said in (around, *everything, (own, target.doubts)):
        for word in _listed(*said, DEFINITIONS, compiling):
            mark = MAYBE if word.startswith(MAYBE) else ""
            words.append(f"{mark}-D{word.removeprefix(mark).removeprefix('-D')}")
    for said in ((own, target.doubts), *everything):
        folders = (it.lstrip(MAYBE) for it in _listed(*said, INCLUDES, compiling))
        words += (f"-I{it}" for it in folders if it and not is_open(it))
    known, doubted = _parted(words)
    program = _PROGRAMS.get(language, "c++")
    command = Command(str(target.directory.folder), (program, *known, "-c", str(source)))
    strange = {name for it, _ in linked for name in it.strange}
    return Made(command, tuple(doubted), tuple(sorted(strange)))


def _parted(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is surely there, and what may be; an option goes with its value."""
    known: list[str] = []
    doubted: list[str] = []
    for word in words:
        if not is_open(word):
            known.append(word)
            continue
        if known and VALUED.fullmatch(known[-1]):
            doubted.append(known.pop())
        doubted.append(word.replace(MAYBE, "").replace(UNKNOWN, ""))
    return known, list(dict.fromkeys(doubted))


def _flags(reading: Reading, target: Target, language: str, build_type: str) -> Iterator[str]:
    names = [f"CMAKE_{language}_FLAGS"]
    if build_type and not is_open(build_type):
        names.append(f"CMAKE_{language}_FLAGS_{build_type.upper()}")
    for name in names:
        text = (
            variable_of(target, name)
            or reading.cache.get(name)
            or (_OF_BUILD_TYPES.get(build_type.upper(), "") if name != names[0] else "")
        )
        yield from split_command(text.replace(";", " "))
    if is_open(build_type):
        yield from (MAYBE + word for flags in _OF_BUILD_TYPES.values() for word in split_command(flags))


# Debug is another program: its kernels are not those that one tunes. Of Release all counts, it is the usual one.
_FOR_RELEASE = {"Release": (), "RelWithDebInfo": ("-O2", "-g", "-DNDEBUG"), "MinSizeRel": ("-O1", "-Os", "-DNDEBUG")}
_OF_BUILD_TYPES = {
    "RELEASE": "-O3 -DNDEBUG",
    "RELWITHDEBINFO": "-O2 -g -DNDEBUG",
    "MINSIZEREL": "-O1 -DNDEBUG",
    "DEBUG": "-g",
}  # what CMake has for nvcc


def _architectures(target: Target, language: str) -> Iterator[str]:
    for said in elements(value_of(target.properties, f"{language}_ARCHITECTURES", target.doubts)):
        if language == "HIP":
            yield f"--offload-arch={said}"
        elif match := re.fullmatch(r"(\d{2,3}[af]?)(-real|-virtual)?", said):
            codes = {"-real": "sm_{0}", "-virtual": "compute_{0}"}.get(match[2] or "", "compute_{0},sm_{0}")
            yield f"--generate-code=arch=compute_{match[1]},code=[{codes.format(match[1])}]"


def _standard(everything: Sequence[tuple[Properties, Doubts | None]], language: str) -> list[str]:
    """Of the property, and no less than the features ask for. C++'s own goes for CUDA where that has none."""
    own, doubts = everything[0]
    languages = dict.fromkeys((language, "CXX"))
    wanted = next(filter(None, (value_of(own, f"{it}_STANDARD", doubts) for it in languages)), "")
    asked = [value_of(it, f"{name}_FEATURE", doubts) for it, doubts in everything for name in languages]
    numbers = [it for it in (wanted, *asked) if it]
    if any(is_open(it) for it in numbers):
        return [f"{MAYBE}-std=c++{it.lstrip(MAYBE)}" for it in numbers]
    newest = max((int(it) for it in numbers if it.isdecimal() and int(it) < 90), default=0)
    return [f"-std=c++{newest:02}"] if newest else []


def _linked(reading: Reading, target: Target) -> list[tuple[Target, Doubts | None]]:
    """It, and those whose properties it gets by linking them; what is said under more than these doubts is in doubt,
    and for None all of it."""
    found: dict[int, tuple[Target, Doubts | None]] = {id(target): (target, target.doubts)}
    waiting = list(found.values())
    for it, doubts in waiting:
        for text in words_of(it.properties if it is target else it.passed_on, LINKS, doubts):
            for word in elements(re.sub(r"\$<(?:LINK_ONLY|BUILD_INTERFACE):([^<>]*)>", r"\1", text)):
                other = reading.targets.get(word.lstrip(MAYBE))
                if other is not None and id(other) not in found and len(found) < _MOST_LINKED:
                    sure = not (text.startswith(MAYBE) or word.startswith(MAYBE))
                    found[id(other)] = (other, doubts if sure else None)
                    waiting.append(found[id(other)])
    return list(found.values())


def _options(properties: Properties, doubts: Doubts | None, compiling: Compiling) -> Iterator[str]:
    for text in words_of(properties, FLAGS, doubts):
        mark = MAYBE if text.startswith(MAYBE) else ""
        yield from (mark + it for it in split_command(compiling.evaluated(text.removeprefix(mark))))
    for word in _listed(properties, doubts, OPTIONS, compiling):
        mark = MAYBE if word.startswith(MAYBE) else ""
        plain = word.removeprefix(mark)
        yield from (mark + it for it in split_command(plain[6:])) if plain.startswith("SHELL:") else (word,)


def _listed(properties: Properties, doubts: Doubts | None, name: str, compiling: Compiling) -> Iterator[str]:
    for said in properties.get(name, ()):
        sure = doubts is not None and said.doubts <= doubts
        for word in elements(compiling.evaluated(said.text)):
            yield word if sure or word.startswith(MAYBE) else MAYBE + word
