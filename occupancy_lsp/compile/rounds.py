"""What kernels need, compiled in rounds: each is without what the compiler faulted in the one before.

What it faults leaves out the kernels that reach it, never something that they name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from occupancy_lsp.compile.arguments import Arguments
from occupancy_lsp.compile.compilers import TOOLKIT
from occupancy_lsp.compile.errors import Failure
from occupancy_lsp.compile.missing import names_of_missing, switches_of
from occupancy_lsp.compile.remedies import remedy_for
from occupancy_lsp.compile.request import Expand, Request, Run
from occupancy_lsp.compile.sight import Sight, name_of
from occupancy_lsp.compile.told import calls_by_pointer, not_inlined, static_is_final, told_in
from occupancy_lsp.compile.ways import Choice
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.slices.foreign import (
    SMALL_PRELUDE,
    included_by,
    is_configuration,
    is_of_hosts,
    small_header,
    standard_header,
    type_as,
)
from occupancy_lsp.slices.makers import PRELUDE, Maker, Node, is_guess, lines_of, makers_in, own_text
from occupancy_lsp.slices.program import Key, Program
from occupancy_lsp.slices.unit import names_of, written
from occupancy_lsp.workspace.build_files import macros_of_folder
from occupancy_lsp.workspace.cmake.configured import Configured
from occupancy_lsp.workspace.foreign import may_take_at_launch

_MOST_ROUNDS = 12
_MOST_ROUNDS_OF_HOSTS = 6
_MOST_NAMED = 3
_VERSION = "CUDA_VERSION"  # of the driver's header; that of the runtime, which nvcc includes itself, is the same
_SYNTAX = regex(r"\bexpected (?:an? |'|identifier|expression|unqualified)")
_UNDEFINED = regex(r"""identifier "(\w+)" is undefined|unknown type name '(\w+)'""")
_NOT_OF_STD = regex(
    r"""namespace "std" has no member (?:class )?"(\w+)"|no (?:type|template|member) named '(\w+)' in namespace 'std'"""
)
_SPECIALISED = regex(rb"\btemplate\s*<\s*>[^<(]*\w\s*<([^<>()]*)>\s*[({:]")
_QUALIFIER = regex(rb"([A-Za-z_]\w*)\s*::")
_CHOICE_OF_VERSION = Choice(
    "cuda.h", Arguments(macros=((_VERSION, "CUDART_VERSION"),)), Arguments(macros=((_VERSION, None),))
)
_NOTHING: Mapping[Key, bytes] = {}
Header = tuple[str, bool]  # what an #include names, and whether it is quoted


@dataclass(frozen=True, slots=True)
class Error:
    """An #error that holds. `open`: the macros that decide whether it does, and that nothing defines; none: no build
    of the file for this device goes well. `answered`: one of these is tried both ways."""

    message: str
    open: frozenset[str]
    answered: bool


class Rounds:
    """`kernels`: those that are still in it. `left`: the others, each with the reason. `instead`: what stands for parts
    that the compiler faulted: nothing, or what makes every use of them a fault. `alone`: other kernels of the file were
    not asked for."""

    def __init__(
        self,
        program: Program,
        kernels: Sequence[Key],
        request: Request,
        missing: frozenset[Header],
        sight: Sight,
        run: Run,
        configured: Mapping[str, Configured],
        expand: Expand,
        lend: Callable[[str], Sequence[Path]],
    ) -> None:
        """`lend`: the folders outside the workspace that have a header."""
        self.program = program
        self.request = request
        self.missing = missing
        self.index = sight.index
        self.instances = [*sight.instances]
        self.configured = configured  # headers that the program has of their templates
        self.dialect = sight.dialect
        self.run = run
        self.expand = expand
        self.kernels = [*kernels]
        self.alone = len(kernels) < len(program.kernels(sight.header))
        self.instead: dict[Key, bytes] = {}
        self.left: list[Problem] = []
        self.causes: dict[bytes, Problem] = {}  # why parts are left out, by the names that they declare
        self.unknown: set[str] = set()  # types of libraries that are not there
        self.small: dict[str, bool] = {}  # headers of libraries that have what is named; whether they are there
        self.lend = lend
        self.standard: set[str] = set()  # headers of C++ and CUDA that come with those that are missing
        self.named_by: list[str] = []  # lines that name instances as the hosts' code does
        self.rounded = False
        self.choices: dict[str, Choice] = {}  # by the macro: what a header that configuring makes leaves open
        self.assumed: dict[bytes, str] = {}  # by the kernel's plain name: what is taken for granted of it, for people

    def last(self) -> Path | Problem | str:
        """What the compiler made of the kernels that compile, or said of the last of them."""
        self.without_unknown()
        made: Path | Problem | str = self.left[0] if self.left else ""
        for _ in range(_MOST_ROUNDS if self.kernels else 0):
            made = self.round()
            if not isinstance(made, Failure) or not self.leave_out(made.every) or not self.kernels:
                break
        if isinstance(made, Path):
            made = self.checked(self.with_instances(made))
        return made

    def with_instances(self, made: Path) -> Path:
        """With those that the hosts' code makes of templates: as it stands, or by what it names."""
        if not any(self.program.part(it).is_template for it in self.kernels):
            return made
        if self.alone:
            return (self.with_named() or made) if self.lacking(made) else made
        if not self.needed:
            made = self.with_makers() or made
            return (self.with_named() or made) if self.lacking(made) else made
        named = self.with_named()
        return named if named is not None and not self.lacking(named) else self.with_makers() or named or made

    def with_makers(self, whole: bool = False) -> Path | None:
        """With the code of hosts that compiles, if that may make instances of templates: what does not compile of it
        makes none. None: there is no such code, or what the kernels need fails with it; `whole`: or some of it does."""
        makers = self.program.makers_of(it for it in self.kernels if self.program.part(it).is_template)
        open_ = {it for it in makers if self.of_library(it, True) is not None or self.decided_by([it], True)}
        makers -= open_
        own = self.program.reached(self.kernels, self.instead.keys(), self.instances)
        every = {*self.program.places()} - open_ - self.instead.keys()
        hosts = {it for it in every if self.program.part(it).is_code}
        out: dict[Key, bytes] = {}
        for _ in range(_MOST_ROUNDS_OF_HOSTS):
            if not makers & hosts or (whole and (open_ or makers - hosts)):
                break
            found = self.round(hosts, out)
            if isinstance(found, Path):
                return found
            if not isinstance(found, Failure):
                break
            if self.with_types(found.every):
                continue
            faulted, instances = self.located(found.every)
            for key in [it for it in faulted if it not in hosts or self.is_of_device(it)] if not instances else ():
                out |= self.gone(key)
            hosts -= faulted.keys() | out.keys()
            if not faulted or instances or out.keys() & own or any(map(self.is_of_device, faulted.keys() & own)):
                break
        return None

    def with_named(self) -> Path | None:
        """With the instances that the hosts' code names, which are made without it. None: it names none, or what the
        kernels need fails with them."""
        templates = [it for it in self.kernels if self.program.part(it).is_template]
        every = {*self.program.places()} - self.instead.keys()
        unit = written(self.program, every, self.instead, self.missing, hosts=every, absent=self.absent)
        own = frozenset(names_of(self.program).values())
        text = own_text(self.expand(replace(self.request, unit=unit)), own)
        names = frozenset[bytes]().union(*(self.program.part(it).declares for it in templates))
        makers = makers_in(text, {it.decode() for it in names}, self.dialect)
        inside = self.program.reached(self.kernels, self.instead.keys(), self.instances)
        without: set[Node | Maker] = set()
        out: dict[Key, bytes] = {}
        for _ in range(_MOST_ROUNDS_OF_HOSTS if makers else 0):
            lines = lines_of(makers, without)
            self.named_by = [PRELUDE, *(it.text for it in lines)]
            found = self.round(out=out)
            if isinstance(found, Path):
                self.instead |= out
                return found
            if not isinstance(found, Failure):
                break
            first = len(self.before) + 3 + len(self.instances)
            places = {it.line - first for it in found.every if not it.path}
            faulted = {lines[at].of for at in places if 0 <= at < len(lines)}
            new = {it for it in faulted if it is not None} - without
            parts, _ = self.located(found.every)
            others = {
                it: text for key in parts.keys() - inside for it, text in self.gone(key).items() if it not in inside
            }
            if not new and not others.keys() - out.keys():
                new = {it.of for it in lines if it.of is not None and is_guess(it.text)}
            if not new and not others.keys() - out.keys():
                break
            without |= new
            out |= others
        self.named_by = []
        return None

    def is_of_device(self, key: Key) -> bool:
        """Whether nothing of it is for hosts alone."""
        return self.program.on_device(key)[0].text == self.program.part(key).text

    def lacking(self, made: Path) -> list[Key]:
        """The kernels that are not there, and the templates that have no instance there."""
        said = told_in(made)
        return [it for it in self.kernels if not any(name in said for name in self.program.part(it).declares)]

    def undefined_around(self, kernel: Key) -> str:
        """A macro that no file in sight defines and a condition around the kernel names; "": there is none."""
        return min(self.program.asked_around(kernel) - self.given, default="")

    def checked(self, made: Path) -> Path | Problem:
        """A function that is not inlined is compiled once for all that call it, so it counts with all of them only.
        What is called by a pointer may be any function of the file."""
        if calls_by_pointer(made):
            why = "not compiled: it calls functions by pointers, and what these may be is not in what its kernels name"
            return Problem(str(self.request.path), 0, 0, why)
        shared = not_inlined(told_in(made))
        others = self.alone or bool(self.left) or any(self.program.part(it).is_template for it in self.kernels)
        if others and shared and (exact := self.as_the_file()) is not None:
            made, others = exact, False
        if others and shared:
            name = min(shared).decode("ascii", "replace")[:80]
            why = f"not compiled: {name} is not inlined, and others than these may call it"
            return Problem(str(self.request.path), 0, 0, why)
        others_take = (others and self.program.takes_at_launch) or any(map(may_take_at_launch, self.elsewhere))
        self.rounded = others_take and not static_is_final(made)
        for kernel in self.lacking(made):
            macro = self.undefined_around(kernel)
            why = f"{macro} is not defined, and decides whether it is compiled" if macro else ""
            if why or self.program.part(kernel).is_template:
                why = why or "no instance of this template is in sight"
                self.leave(kernel, Problem("", 0, 0, f"not compiled: {why}"))
        return made

    def as_the_file(self) -> Path | None:
        """With the instances of templates that the file makes, and no others. None: some code of it does not compile
        that may make them, or other kernels were left out."""
        if self.alone or self.left:
            return None
        before, self.instances, self.named_by = (self.instances, self.named_by), [], []
        made = self.with_makers(whole=True)
        if made is None:
            self.instances, self.named_by = before
        return made

    def without_unknown(self) -> None:
        """Leave out what a header that is missing declares, and what it or a macro that an #error asks for decides."""
        if not (self.needed or self.configured or self.errors):
            return
        if refused := next((it for it in self.errors if not it.open and not it.answered), None):
            for kernel in self.kernels:
                self.without_kernel(kernel, Problem("", 0, 0, refused.message))
        parts = {it: fault for it in self.program.reached(self.kernels) if (fault := self.of_library(it)) is not None}
        self.without(parts)
        for kernel in self.kernels:
            reached = self.program.reached([kernel])
            if why := self.decided_by(reached):
                self.without_kernel(kernel, Problem("", 0, 0, f"not compiled: {why}"))
            elif assumed := self.assumed_of(reached):
                self.assumed |= dict.fromkeys(self.program.part(kernel).declares, assumed)

    def decided_by(self, parts: Iterable[Key], on_host: bool = False) -> str:
        """Which macro of a header that is missing, or of a command that is not known, may decide what these parts
        consist of."""
        why = ""
        for macro in sorted(self.program.asked(parts, on_host) - self.given):
            if macro.startswith("<"):
                header = macro[1:-1] if any(it == macro[1:-1] for it, _ in self.missing) else ""
                why = why or (f"{header} is not found, and whether it is there decides what it is" if header else "")
            elif macro == _VERSION:
                if self.lacks_version:
                    self.choices[macro] = _CHOICE_OF_VERSION
                    why = (
                        why
                        or f"{self.needed[0]} is not found, and may include cuda.h, whose {_VERSION} decides what it is"
                    )
            elif any(macro in it.open for it in self.errors if not it.answered):
                why = why or f"{macro} is not defined, an #error asks for it, and it decides what it is"
            elif (header := self.may_define(macro)) or self.is_incomplete:
                if macro in (known := switches_of(header, self.index) if header else {}):
                    self.choices[macro] = _choice(macro, known[macro])
                elif self.program.only_defined_or_not(macro):
                    self.choices[macro] = _choice(macro, "1")
                lacking = f"an #error shows that macros are lacking; {macro}, which decides what it is, may be one"
                may = f"{header} is not found, and may define {macro}, which decides what it is"
                why = why or (may if header else lacking)
            elif made := next((name for name, it in self.configured.items() if macro in it.open), ""):
                if macro in (known := self.configured[made].switches):
                    self.choices[macro] = _choice(macro, known[macro])
                why = why or f"{made} is made when the project is configured, and may define {macro}"
        return why

    def assumed_of(self, parts: Set[Key]) -> str:
        """That headers which are missing, and of which nothing is known, leave alone what has a value without them and
        decides what these parts consist of; "": nothing does."""
        headers = [it for it, names in self.named.items() if names is None]
        if not headers:
            return ""
        macros = [it for it in sorted(self.program.asked(parts) - self.given) if it.encode() in self.program.macros]
        macros += ["NDEBUG"] if self.program.asserts(parts) else []
        if not macros:
            return ""
        leave = "leaves" if len(headers) == 1 else "leave"
        return f"assuming that {_listed(headers)}, not found, {leave} {_listed(macros)} as here"

    @cached_property
    def given(self) -> frozenset[str]:
        """The macros that the command and the settings define or undefine."""
        return frozenset(name.partition("(")[0] for name, _ in self.request.all_macros())

    def may_define(self, macro: str) -> str:
        """The header that is missing and may define it; "": there is none. Any might set those that the text or a build
        file has a default for, but hardly does, if it is not there for that."""
        own = macro.encode() in self.program.macros
        for header, names in self.named.items():
            may = (not own or is_configuration(header)) and macro not in self.of_builds
            if names.fullmatch(macro) if names else may:
                return header
        return ""

    @cached_property
    def lacks_version(self) -> bool:
        """Whether a header that is missing may include cuda.h, which nothing else surely does."""
        asked = (self.request.device.vendor, self.request.language)
        known = any("cuda.h" in included_by(it) for it in self.needed) or self.program.surely_includes("cuda.h")
        return asked in TOOLKIT and not (known or all(map(is_of_hosts, self.needed)))

    @cached_property
    def is_incomplete(self) -> bool:
        """Whether an #error that no header which is missing may avert shows that the build defines more than the
        command."""
        return any(it.open and not it.answered and not any(map(self.may_define, it.open)) for it in self.errors)

    @property
    def elsewhere(self) -> Iterator[str]:
        """The headers that are included and are no files of the workspace."""
        return (it for file in self.program.files.values() for (it, _), meant in file.meant.items() if meant is None)

    @cached_property
    def needed(self) -> list[str]:
        """Of the headers that are missing, those that the text includes under the conditions that hold."""
        return sorted({text for it in self.met for text in self.program.included_at(it.path, it.line)})

    @cached_property
    def errors(self) -> list[Error]:
        """The #errors of the text that hold without these."""
        found = [it for it in self.met if self.program.is_error(it.path, it.line)]
        chosen = {name for it in self.request.way.choices for name, _ in it.yes.macros}
        asked = [(it, self.program.asked_at(it.path, it.line)) for it in found]
        return [Error(it.message, names - self.given, bool(names & chosen)) for it, names in asked]

    @cached_property
    def met(self) -> Sequence[Problem]:
        """What the compiler says of the text with an #error for each header that is missing."""
        if not self.missing:
            return ()
        kept = self.program.reached(self.kernels)
        _, made = self.run(replace(self.request, unit=written(self.program, kept, {}, self.missing, asking=True)))
        return made.every if isinstance(made, Failure) else ()

    @cached_property
    def named(self) -> Mapping[str, re.Pattern[str] | None]:
        """What the names look like that may come from these; None: they may be any."""
        return {it: names_of_missing(it, self.index) for it in self.needed}

    @cached_property
    def of_builds(self) -> frozenset[str]:
        """The macros that build files around the source are there to define."""
        around = (it for it in self.request.path.parents if it.is_relative_to(self.request.root))
        return frozenset[str]().union(*map(macros_of_folder, around))

    def absent(self, macro: str) -> bool:
        """Whether it is of a library that is not there, by its name, and of no file that is."""
        of_library = any(it and it.fullmatch(macro) for it in self.named.values())
        return of_library and macro.encode() not in self.program.macros

    def round(self, hosts: Set[Key] = frozenset(), out: Mapping[Key, bytes] = _NOTHING) -> Path | Problem | str:
        """`hosts`: what is compiled with the kernels, as it stands. `out`: what stands for parts that none of them
        needs."""
        instead = {**self.instead, **out}
        kept = self.program.reached(self.kernels, instead.keys(), [*self.instances, *self.named_by])
        if hosts:
            kept |= {*self.program.places()} - instead.keys()
        after = [f"namespace {{ auto* occupancy_instance_{i} = &{it}; }}" for i, it in enumerate(self.instances)]
        after += self.named_by
        unit = written(self.program, kept, instead, self.missing, self.before, after, hosts=hosts, absent=self.absent)
        self.request, made = self.run(replace(self.request, unit=unit))
        return made

    @property
    def before(self) -> list[str]:
        """What stands before the text, a line each."""
        small = [f"#include <{it}>" for it, there in sorted(self.small.items()) if there]
        standard = [f"#include <{it}>" for it in sorted(self.standard)]
        return [*standard, *small, *([SMALL_PRELUDE] if small else []), *(type_as(it) for it in sorted(self.unknown))]

    def located(self, faults: Iterable[Problem]) -> tuple[dict[Key, Problem], set[int]]:
        """The parts that are faulted, and which of the instances."""
        parts: dict[Key, Problem] = {}
        instances: set[int] = set()
        broken: dict[str, int] = {}
        for fault in faults:
            if not fault.path and fault.line:
                instances.add(fault.line - len(self.before) - 2)
            elif fault.line <= broken.get(fault.path, fault.line):
                parts.update((key, fault) for key in self.program.at(fault.path, fault.line) if key not in parts)
            if _SYNTAX.search(fault.message):
                broken.setdefault(fault.path, fault.line)  # what follows may be read in another way for it
        return parts, instances

    def with_types(self, faults: Iterable[Problem]) -> bool:
        """Whether types of libraries, or names of C++'s own, are among what is faulted; what hangs on them may be
        faulted no more."""
        named = [it for it in faults if it.path or not it.line]
        unknown = {name for it in named if (name := self.type_of_library(it))}
        standard = {header for it in named if (header := self.standard_header(it))} - self.standard
        self.unknown |= unknown
        self.standard |= standard
        return bool(unknown or standard)

    def leave_out(self, faults: Sequence[Problem]) -> bool:
        """What is faulted. False: nothing can be made of the faults."""
        if self.with_types(faults):
            return True
        parts, instances = self.located(faults)
        # A template's fault may be that of an instance which the file does not make: an overload is meant there.
        of_kernels = {name for key in parts if key in self.kernels for name in self.program.part(key).declares}
        instances |= {i for i, it in enumerate(self.instances) if name_of(it) in of_kernels}
        asked = {name_of(self.instances[i]) for i in instances}
        self.instances = [it for i, it in enumerate(self.instances) if i not in instances]
        self.without({it: fault for it, fault in parts.items() if not self.program.part(it).declares & asked})
        return bool(parts or instances)

    def without(self, parts: Mapping[Key, Problem]) -> None:
        """Leave out what cannot compile, and the kernels that mean it."""
        causes = {key: self.cause_of(key, fault) for key, fault in parts.items()}
        for key, fault in causes.items():
            if key in self.kernels:
                self.without_kernel(key, fault)
            elif self.specialises_for_library(key):
                self.instead[key] = b""
            elif self.stands_alone(key) or key in self.instead:
                for kernel in self.kernels:
                    if key in self.program.reached([kernel]):
                        self.without_kernel(kernel, fault)
                self.instead[key] = b""
            else:
                self.instead |= (gone := self.poisoned(key))
                self.causes |= dict.fromkeys((name for it in gone for name in self.program.part(it).declares), fault)
        named = frozenset[bytes]().union(*(self.program.part(it).declares for it in self.kernels))
        self.instances = [it for it in self.instances if name_of(it) in named]

    def cause_of(self, key: Key, fault: Problem) -> Problem:
        """What the compiler says of a part that means one which was left out is nothing to people: why that was is."""
        named = sorted(self.program.on_device(key)[0].names & self.causes.keys())
        return self.causes[named[0]] if named else self.lack_of_macro(fault) or fault

    def of_library(self, key: Key, on_host: bool = False) -> Problem | None:
        """Why a part cannot compile that names what is in a namespace of a library that is not there."""
        part = self.program.part(key)
        if not part.is_code:
            return None
        names = part.names if on_host else self.program.on_device(key)[0].names
        spaces = {name.partition(b"::")[0] for name in names if b"::" in name and not self.is_lent(name.decode())}
        for space in sorted(spaces - self.program.namespaces - self.program.by_name.keys()):
            for header, known in self.named.items():
                if known is not None and known.fullmatch(space.decode()):
                    why = f"not compiled: it uses {space.decode()}::, and {header} is not found"
                    return Problem("", 0, 0, why, remedy_for(header))
        return None

    def is_lent(self, name: str) -> bool:
        """Whether a small header of the library has it that is included for it."""
        header = small_header(name)
        if header and header not in self.small:
            found = [("-isystem", it) for it in self.lend(header)]
            self.small[header] = bool(found)
            arguments = self.request.arguments
            new = tuple(it for it in found if it not in arguments.folders)
            arguments = replace(arguments, folders=(*arguments.folders, *new))
            environment = (*self.request.environment, *(folder for _, folder in new))
            self.request = replace(self.request, arguments=arguments, environment=environment)
        return bool(header) and self.small[header]

    def without_kernel(self, kernel: Key, fault: Problem) -> None:
        """Leave out a kernel that does not compile."""
        if self.specialises_for_library(kernel):
            self.instead[kernel] = b""
        self.leave(kernel, self.lack_of_library(kernel) or self.lack_of_macro(fault) or fault)

    def leave(self, kernel: Key, fault: Problem) -> None:
        self.kernels = [it for it in self.kernels if it != kernel]
        self.left.append(Problem(kernel[0], self.program.part(kernel).line, 1, fault.message, fault.remedy))

    def specialises_for_library(self, key: Key) -> bool:
        """Whether it is a full specialisation for a type that only a missing header has, so that no instance which can
        be named here is in its place."""
        match = _SPECIALISED.search(self.program.part(key).text)
        spaces = {it.decode() for it in _QUALIFIER.findall(match[1])} if match else set[str]()
        spaces -= {it.decode() for it in (*self.program.namespaces, *self.program.by_name)}
        return any(it and it.fullmatch(space) for it in self.named.values() for space in spaces)

    def lack_of_library(self, kernel: Key) -> Problem | None:
        """Why it does not compile, if something that it means names what a library has that is not there."""
        named = frozenset[bytes]().union(
            *(self.program.on_device(it)[0].names for it in self.program.reached([kernel]))
        )
        for name in sorted(it for it in self.unknown if it.encode() in named):
            header = next(it for it, names in self.named.items() if names and names.fullmatch(name))
            return Problem("", 0, 0, f"not compiled: it uses {name}, and {header} is not found", remedy_for(header))
        return None

    def lack_of_macro(self, fault: Problem) -> Problem | None:
        """Why a name is not declared, if a macro that nothing in sight defines decides about all its declarations."""
        match = _UNDEFINED.search(fault.message)
        name = (match[1] or match[2]) if match else ""
        around = [self.program.asked_around(it) for it in self.program.by_name.get(name.encode(), ())]
        macro = min(frozenset.intersection(*around) - self.given, default="") if around else ""
        if not macro:
            return None
        why = f"not compiled: {macro} is not defined, and decides whether {name} is declared"
        return Problem("", 0, 0, why, "name it under `macros` in `.occupancy.yaml`")

    def stands_alone(self, key: Key) -> bool:
        """Whether no name of its own tells who means it."""
        part = self.program.part(key)
        return part.operator or part.member or b"std" in part.namespaces

    def gone(self, key: Key) -> Mapping[Key, bytes]:
        """What stands for a part that no kernel needs."""
        return {key: b""} if self.stands_alone(key) else self.poisoned(key) or {key: b""}

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

    def standard_header(self, fault: Problem) -> str:
        """The header of C++ or CUDA that has what is lacking, and that one of the missing ones may include."""
        if not self.needed:
            return ""
        if match := _UNDEFINED.search(fault.message):
            return standard_header(match[1] or match[2])
        match = _NOT_OF_STD.search(fault.message)
        return standard_header(f"std::{match[1] or match[2]}") if match else ""

    def type_of_library(self, fault: Problem) -> str:
        """The name that is not known, if a header of a library that is not there may declare it. As a type of which
        nothing more is known, it can stand in declarations, and compiles nowhere where it matters."""
        match = _UNDEFINED.search(fault.message)
        name = (match[1] or match[2]) if match else ""
        known = not name.isupper() and any(it and it.fullmatch(name) for it in self.named.values())
        is_space = name.encode() in self.program.qualifying
        return name if known and not is_space and name not in self.unknown else ""


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:_MOST_NAMED], "others"] if len(names) > _MOST_NAMED else names
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _choice(macro: str, value: str | None) -> Choice:
    """`value` None: it is 0 or 1."""
    if value is None:
        return Choice(f"-D{macro}=1", Arguments(macros=((macro, "1"),)), Arguments(macros=((macro, "0"),)))
    return Choice(f"-D{macro}", Arguments(macros=((macro, value),)), Arguments(macros=((macro, None),)))
