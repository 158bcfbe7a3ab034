"""What a file's kernels need of it, compiled where the file as a whole does not compile.

What the compiler faults in that text leaves out the kernels that reach it, never something that they name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from occupancy_lsp.compile.errors import Failure
from occupancy_lsp.compile.missing import names_of_missing
from occupancy_lsp.compile.remedies import remedy_for
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.told import calls_by_pointer, not_inlined, told_in
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.slices.foreign import type_as
from occupancy_lsp.slices.program import Key, Program, read_program
from occupancy_lsp.slices.unit import asking_for, written
from occupancy_lsp.source.text.dialects import Dialect
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.walk import MAX_BYTES

_MOST_ROUNDS = 12
_MOST_ROUNDS_OF_HOSTS = 6
_SYNTAX = re.compile(r"\bexpected (?:an? |'|identifier|expression|unqualified)")
_UNDEFINED = re.compile(r"""identifier "(\w+)" is undefined|unknown type name '(\w+)'""")
_Header = tuple[str, bool]
_NOTHING: Mapping[Key, bytes] = {}
# As of `Compile`, with the machine and the store known; and the request with all that was added to it.
Run = Callable[[Request], tuple[Request, Path | Problem | str]]


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of the file in its workspace. `instances`: of templates, each as C++ names it."""

    index: Index
    dialect: Dialect
    instances: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sliced:
    """`made`: as of `Compile`, of `request`. `left`: the kernels that it is not of, each with the reason. `missing`:
    headers."""

    made: Path | Problem | str
    request: Request
    left: tuple[Problem, ...] = ()
    missing: tuple[str, ...] = ()

    def how(self, by: str) -> str:
        """What its counts are of, for people."""
        without = f", without {', '.join(self.missing[:3])}" if self.missing else ""
        return f"{by}; of the file only what its kernels need{without}"


def compile_sliced(request: Request, sight: Sight, run: Run, find: Callable[[str], Sequence[Path]]) -> Sliced | None:
    """`find`: the folders outside the workspace that have a header. None: there is nothing to compile, or one of the
    workspace's own headers may be meant, and nothing tells which."""
    if sight.dialect.device_only:  # there is nothing of a host in it
        return None
    program = _program(request, sight)
    if program is None or not program.kernels():
        return None
    found = _sliced(program, request, sight, run, find)
    if found is None or isinstance(found.made, Path) or not found.request.environment:
        return found
    return _sliced(program, without_environment(request), sight, run, lambda header: ()) or found


def without_environment(request: Request) -> Request:
    """Some headers of an environment do not go with the file, and most are for the host's part of it."""
    folders = tuple(it for it in request.arguments.folders if it[1] not in request.environment)
    return replace(request, arguments=replace(request.arguments, folders=folders), environment=())


def _program(request: Request, sight: Sight) -> Program | None:
    """An environment's headers are none of it: they are left to the compiler."""
    folders = tuple(folder for _, folder in without_environment(request).arguments.folders)

    def resolve(text: str, quoted: bool, includer: str) -> str | None:
        found = sight.index.resolve(text, quoted, includer, folders)
        return str(found) if found is not None else None

    def read(path: str) -> bytes | None:
        if request.unit is not None and path == str(request.path):
            return request.unit.files[request.unit.main][1]
        content = read_file(Path(path), MAX_BYTES)
        return content.data if isinstance(content, Content) else None

    return read_program(str(request.path), resolve, read, sight.dialect)


def _sliced(
    program: Program, request: Request, sight: Sight, run: Run, find: Callable[[str], Sequence[Path]]
) -> Sliced | None:
    missing = _missing(program, request, run)
    if isinstance(missing, Sliced):
        return missing
    known = {folder for _, folder in request.arguments.folders}
    more = tuple(dict.fromkeys(it for header, _ in sorted(missing) for it in find(header) if it not in known))
    if more:
        folders = (*request.arguments.folders, *(("-isystem", it) for it in more))
        arguments = replace(request.arguments, folders=folders)
        request = replace(request, arguments=arguments, environment=(*request.environment, *more))
        missing = _missing(program, request, run)
        if isinstance(missing, Sliced):
            return missing
    rounds = _Rounds(program, request, missing, sight, run)
    ends = tuple(f"/{header.removeprefix('./')}" for header in rounds.needed)
    if ends and any(it.as_posix().endswith(ends) for it in sight.index.paths()):
        return None
    return rounds.last()


def _missing(program: Program, request: Request, run: Run) -> frozenset[_Header] | Sliced:
    """The headers that the compiler does not find."""
    asked = sorted({it for file in program.files.values() for it, meant in file.meant.items() if meant is None})
    request, made = run(replace(request, unit=asking_for(program, asked)))
    if not isinstance(made, Failure):
        return Sliced(made, request)
    return frozenset(asked[it.line // 3] for it in made.every if it.line // 3 < len(asked))


class _Rounds:
    """`instead`: what stands for parts that the compiler faulted: nothing, or what makes every use of them a fault."""

    def __init__(self, program: Program, request: Request, missing: frozenset[_Header], sight: Sight, run: Run) -> None:
        self.program = program
        self.request = request
        self.missing = missing
        self.index = sight.index
        self.instances = [*sight.instances]
        self.run = run
        self.kernels = [*program.kernels()]
        self.instead: dict[Key, bytes] = {}
        self.left: list[Problem] = []
        self.unknown: set[str] = set()  # types of libraries that are not there

    def last(self) -> Sliced:
        self.without_unknown()
        made: Path | Problem | str = self.left[0] if self.left else ""
        for _ in range(_MOST_ROUNDS if self.kernels else 0):
            made = self.round()
            if not isinstance(made, Failure) or not self.leave_out(made.every) or not self.kernels:
                break
        if isinstance(made, Path):
            made = self.checked(self.with_makers() or made)
        return Sliced(made, self.request, tuple(self.left), tuple(self.needed))

    def with_makers(self) -> Path | None:
        """With the code of hosts that compiles, if that may make instances of templates: what does not compile of it
        makes none. None: there is no such code, or what the kernels need fails with it."""
        makers = self.program.makers_of(it for it in self.kernels if self.program.part(it).is_template)
        open_ = {it for it in makers if self.of_library(it, True) is not None or self.decided_by([it], True)}
        makers -= open_
        own = self.program.reached(self.kernels, self.instead.keys(), self.instances)
        every = {*self.program.places()} - open_ - self.instead.keys()
        hosts = {it for it in every if self.program.part(it).is_code}
        out: dict[Key, bytes] = {}
        for _ in range(_MOST_ROUNDS_OF_HOSTS):
            if not makers & hosts:
                break
            found = self.round(hosts, out)
            if isinstance(found, Path):
                return found
            if not isinstance(found, Failure):
                break
            if self.with_types(found.every):
                continue
            faulted, instances = self.located(found.every)
            for key in faulted.keys() - hosts if not instances else ():
                out |= {key: b""} if self.stands_alone(key) else self.poisoned(key)
            hosts -= faulted.keys() | out.keys()
            if not faulted or instances or out.keys() & own or any(map(self.is_of_device, faulted.keys() & own)):
                break
        return None

    def is_of_device(self, key: Key) -> bool:
        """Whether nothing of it is for hosts alone."""
        return self.program.on_device(key)[0].text == self.program.part(key).text

    def lacking(self, made: Path) -> list[Key]:
        """The templates that have no instance there."""
        said = told_in(made)
        parts = ((it, self.program.part(it)) for it in self.kernels)
        return [it for it, part in parts if part.is_template and not any(name in said for name in part.declares)]

    def checked(self, made: Path) -> Path | Problem:
        """A function that is not inlined is compiled once for all that call it, so it counts with all of them only.
        What is called by a pointer may be any function of the file."""
        if calls_by_pointer(made):
            why = "not compiled: it calls functions by pointers, and what these may be is not in what its kernels name"
            return Problem(str(self.request.path), 0, 0, why)
        shared = not_inlined(told_in(made))
        others = self.left or any(self.program.part(it).is_template for it in self.kernels)
        if others and shared:
            name = min(shared).decode("ascii", "replace")[:80]
            why = f"not compiled: {name} is not inlined, and others than these may call it"
            return Problem(str(self.request.path), 0, 0, why)
        for kernel in self.lacking(made):
            self.without_kernel(kernel, Problem("", 0, 0, "not compiled: no instance of this template is in sight"))
        return made

    def without_unknown(self) -> None:
        """Leave out what a header that is missing declares, and what it may decide."""
        if not self.needed:
            return
        parts = {it: fault for it in self.program.reached(self.kernels) if (fault := self.of_library(it)) is not None}
        self.without(parts)
        for kernel in self.kernels:
            if why := self.decided_by(self.program.reached([kernel])):
                self.without_kernel(kernel, Problem("", 0, 0, f"not compiled: {why}"))

    def decided_by(self, parts: Iterable[Key], on_host: bool = False) -> str:
        """Which macro of a header that is missing may decide what these parts consist of."""
        given = {name.partition("(")[0] for name, _ in self.request.all_macros()}
        for macro in sorted(self.program.asked(parts, on_host) - given):
            if header := next(
                (it for it, names in self.named.items() if names is None or names.fullmatch(macro)), None
            ):
                return f"{header} is not found, and may define {macro}, which decides what it is"
        return ""

    @cached_property
    def needed(self) -> list[str]:
        """Of the headers that are missing, those that the text includes under the conditions that hold."""
        if not self.missing:
            return []
        kept = self.program.reached(self.kernels)
        _, made = self.run(replace(self.request, unit=written(self.program, kept, {}, self.missing, asking=True)))
        lines = {(it.path, it.line) for it in made.every} if isinstance(made, Failure) else set()
        return sorted({text for path, line in lines for text in self.program.included_at(path, line)})

    @cached_property
    def named(self) -> Mapping[str, re.Pattern[str] | None]:
        """What the names look like that may come from these; None: they may be any."""
        return {it: names_of_missing(it, self.index) for it in self.needed}

    def round(self, hosts: Set[Key] = frozenset(), out: Mapping[Key, bytes] = _NOTHING) -> Path | Problem | str:
        """`hosts`: what is compiled with the kernels, as it stands. `out`: what stands for parts that none of them
        needs."""
        instead = {**self.instead, **out}
        kept = self.program.reached(self.kernels, instead.keys(), self.instances)
        if hosts:
            kept |= {*self.program.places()} - instead.keys()
        before = [type_as(it) for it in sorted(self.unknown)]
        after = [f"namespace {{ auto* occupancy_instance_{i} = &{it}; }}" for i, it in enumerate(self.instances)]
        unit = written(self.program, kept, instead, self.missing, before, after, hosts=hosts)
        self.request, made = self.run(replace(self.request, unit=unit))
        return made

    def located(self, faults: Iterable[Problem]) -> tuple[dict[Key, Problem], set[int]]:
        """The parts that are faulted, and which of the instances."""
        parts: dict[Key, Problem] = {}
        instances: set[int] = set()
        broken: dict[str, int] = {}
        for fault in faults:
            if not fault.path and fault.line:
                instances.add(fault.line - len(self.unknown) - 2)
            elif fault.line <= broken.get(fault.path, fault.line):
                parts.update((key, fault) for key in self.program.at(fault.path, fault.line) if key not in parts)
            if _SYNTAX.search(fault.message):
                broken.setdefault(fault.path, fault.line)  # what follows may be read in another way for it
        return parts, instances

    def with_types(self, faults: Iterable[Problem]) -> bool:
        """Whether types of libraries are among what is faulted; what hangs on them is faulted no more, perhaps."""
        unknown = {name for it in faults if (it.path or not it.line) and (name := self.type_of_library(it))}
        self.unknown |= unknown
        return bool(unknown)

    def leave_out(self, faults: Sequence[Problem]) -> bool:
        """What is faulted. False: nothing can be made of the faults."""
        if self.with_types(faults):
            return True
        parts, instances = self.located(faults)
        self.instances = [it for i, it in enumerate(self.instances) if i not in instances]
        self.without(parts)
        return bool(parts or instances)

    def without(self, parts: Mapping[Key, Problem]) -> None:
        """Leave out what cannot compile, and the kernels that mean it."""
        for key, fault in parts.items():
            if key in self.kernels:
                self.without_kernel(key, fault)
            elif self.stands_alone(key) or key in self.instead:
                for kernel in self.kernels:
                    if key in self.program.reached([kernel]):
                        self.without_kernel(kernel, fault)
                self.instead[key] = b""
            else:
                self.instead |= self.poisoned(key)
        named = frozenset[bytes]().union(*(self.program.part(it).declares for it in self.kernels))
        self.instances = [it for it in self.instances if name_of(it) in named]

    def of_library(self, key: Key, on_host: bool = False) -> Problem | None:
        """Why a part cannot compile that names what is in a namespace of a library that is not there."""
        part = self.program.part(key)
        if not part.is_code:
            return None
        names = part.names if on_host else self.program.on_device(key)[0].names
        spaces = {name.partition(b"::")[0] for name in names if b"::" in name}
        for space in sorted(spaces - self.program.namespaces - self.program.by_name.keys()):
            for header, known in self.named.items():
                if known is not None and known.fullmatch(space.decode()):
                    why = f"not compiled: it uses {space.decode()}::, and {header} is not found"
                    return Problem("", 0, 0, why, remedy_for(header))
        return None

    def without_kernel(self, kernel: Key, fault: Problem) -> None:
        self.kernels = [it for it in self.kernels if it != kernel]
        self.left.append(Problem(kernel[0], self.program.part(kernel).line, 1, fault.message, fault.remedy))

    def stands_alone(self, key: Key) -> bool:
        """Whether no name of its own tells who means it."""
        part = self.program.part(key)
        return part.operator or part.member or b"std" in part.namespaces

    def poisoned(self, key: Key) -> dict[Key, bytes]:
        """What stands for all parts of its names: empty namespaces, which hide all else and cannot be used. So nothing
        that means one of them compiles, nor does it come to mean another thing of that name."""
        part = self.program.part(key)
        if part.always:
            return {key: b""}
        found: dict[Key, bytes] = {}
        todo = {*part.declares}
        gone: set[bytes] = set()
        while todo - gone:
            name = (todo - gone).pop()
            gone.add(name)
            if name in self.program.namespaces:
                continue
            for other in self.program.by_name.get(name, ()):
                declared = self.program.part(other)
                if declared.is_code and declared.namespaces == part.namespaces and other not in self.kernels:
                    named = declared.declares - self.program.namespaces
                    found[other] = b"".join(b"namespace %b {} " % it for it in named)
                    todo |= {*declared.declares}
        return found

    def type_of_library(self, fault: Problem) -> str:
        """The name that is not known, if a header of a library that is not there may declare it. As a type of which
        nothing more is known, it can stand in declarations, and compiles nowhere where it matters."""
        match = _UNDEFINED.search(fault.message)
        name = (match[1] or match[2]) if match else ""
        known = any(it and it.fullmatch(name) for it in self.named.values())
        return name if known and name not in self.unknown else ""


def name_of(instance: str) -> bytes:
    return instance.partition("<")[0].rpartition("::")[2].encode()
