"""Launches of a file's kernels in other files of the workspace. File I/O."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.job import Cancelled, Job, Progress
from occupancy_lsp.core.query import trim
from occupancy_lsp.core.reads import Reads, note_each, with_reads
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.registry import HOSTED_SUFFIXES, UNHOSTED, language_of
from occupancy_lsp.source.incremental.address_taken import names_possibly_passed
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import (
    KernelLaunch,
    matches_kernel_name,
    matches_with_inline_namespaces,
)
from occupancy_lsp.source.kernels.overload_resolution import may_accept_arguments
from occupancy_lsp.source.lex.dialect import HOST, Dialect
from occupancy_lsp.source.lower.header_symbols import ItemRun
from occupancy_lsp.source.lower.item_facts import Prototype
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros
from occupancy_lsp.source.sema.translation_unit import IncludePoint, UnitContext
from occupancy_lsp.workspace.deferred import Deferred, Question
from occupancy_lsp.workspace.headers import MOST_UNITS, Headers
from occupancy_lsp.workspace.walk import MAX_BYTES, Stamp, stamp

_MOST_FILES = 16
_MOST_READ = 256
_STRING = regex(rb'"([^"\\\n]+)"')
_VARIABLE = regex(r"\A(?:\$\w+|\$[({]\w+[)}]|%s)?/*")
# A pointer of that name, or what a macro at the beginning of a line makes.
_OTHERWISE = rb"(?m)\(\s*\*\s*(?:const\s+)?%(name)b\s*\)|^[A-Z]\w*\s*\((?:[^();{}]*,)?\s*%(name)b\s*[,)]"
_Macros = tuple[tuple[str, int], ...]
_Key = tuple[Path, Dialect, _Macros]
_Asked = tuple[str, Path, Dialect, _Macros]


@dataclass(frozen=True, slots=True)
class FarLaunch:
    """A launch that stands in another file, at a line counted from 1.

    `unread`: it may stand in that file, which was not read.
    `proved`: it means this kernel. Else it is one of its name, which may be another one out of this file's sight, as
    kernels of other namespaces, of other parameters and with internal linkage are.
    `meant`: with their namespaces, the kernels that it may mean of those that are declared where it stands, each with
    whether it is defined there; None: nothing is known of these. `included`: the kernel's file is, where it stands.
    `declared`: the types of the only prototype that it may mean; None: there is none, or there are several.
    """

    path: str
    line: int
    launch: KernelLaunch
    proved: bool = True
    meant: tuple[tuple[str, bool], ...] | None = None
    included: bool = True
    unread: bool = False
    declared: tuple[str, ...] | None = None

    def links(self, kernel: Kernel) -> bool:
        """Whether the prototype that it means is the kernel's, which alone in the workspace has its name."""
        if self.included or kernel.internal or kernel.template is not None or self.meant is None:
            return False
        return self.declared == kernel.takes.types and [it for it, _ in self.meant] == [kernel.qualified]

    def means(self, kernel: Kernel) -> bool:
        """Whether it may be one of the kernel, whose name it has."""
        if self.meant is None:
            return self.included or not kernel.internal
        defined = dict(self.meant).get(kernel.qualified)
        if self.included:
            return defined is not None
        return defined is False and not kernel.internal and may_accept_arguments(self.launch.gives, kernel.takes)


@dataclass(frozen=True, slots=True)
class _Launching:
    """A file that launches kernels, with all the headers that it includes and the kernels that they define together.

    `named`: the OpenCL sources that it names. `declared`: the functions that its headers declare, too. `handed`: the
    names that it uses other than to launch them, where it launches kernels that are not known.
    """

    launches: tuple[FarLaunch, ...]
    files: frozenset[str]
    defined: frozenset[str]
    named: frozenset[str]
    declared: frozenset[str]
    handed: frozenset[str]

    def of(self, kernel: str) -> Iterator[FarLaunch]:
        """The launches that may be of a kernel of that name."""
        for it in self.launches:
            if it.launch.name == kernel:
                yield it
            elif it.launch.may_be_of_any_kernel and kernel in self.handed:
                yield replace(it, launch=replace(it.launch, kernel=kernel, name=kernel))


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a file and from what: as long as that stays, so does the answer."""

    stamp: Stamp | None
    aliases: tuple[str, ...]
    points: tuple[IncludePoint, ...]
    dialect: Dialect
    around: tuple[UnitContext, ...]
    launching: _Launching


class Callers:
    def __init__(self, headers: Headers) -> None:
        self._index = headers.index
        self._headers = headers
        self.found: Deferred[_Asked, None, tuple[FarLaunch, ...]] = Deferred()
        self._files: dict[_Key, tuple[_Read | None, Reads]] = {}  # with what was read for it
        self._looked_at: set[_Key] = set()  # since files may have changed

    def files_changed(self) -> None:
        """Files may have changed on disk."""
        self._files = {key: it for key, it in self._files.items() if key in self._looked_at}  # the rest nobody asks for
        self._looked_at = set()
        self.found.outdate()

    def rest(self) -> None:
        """Nobody asks now. After the headers' own."""
        self._files.clear()
        self._looked_at.clear()
        self.found.clear()

    # -- in a thread

    def working(self) -> Job[tuple[Callers, tuple[FarLaunch, ...]]] | None:
        """Work out the latest that was asked for and is not known; None: all is."""
        question = self.found.next()
        return Job(partial(_answer, self.copy(), question.key), partial(self._take, question)) if question else None

    def _take(
        self,
        question: Question[_Asked, None, tuple[FarLaunch, ...]],
        worked: tuple[Callers, tuple[FarLaunch, ...]],
    ) -> bool:
        copy, answer = worked
        if not self._headers.adopt(copy._headers):
            self.found.wait(question)
            return False
        self._files.update(copy._files)
        trim(self._files, _MOST_READ)
        self._looked_at |= copy._looked_at
        return self.found.take(question, answer)

    def copy(self) -> Callers:
        """With all that was read so far, for another thread."""
        same = Callers(self._headers.copy())
        same._files, same._looked_at = {**self._files}, {*self._looked_at}
        return same

    # -- asking

    def launches(self, kernel: str, path: Path, dialect: Dialect, macros: Mapping[str, int]) -> tuple[FarLaunch, ...]:
        """Of the kernel with this name, without namespaces, that `path` defines."""
        if not self._launching(kernel, path):
            return ()
        key = kernel, path, dialect, tuple(sorted(macros.items()))  # of each device that is shown, one answer
        return self.found.get(key, None, lambda: self.find(kernel, path, dialect, macros), ())

    def find(self, kernel: str, path: Path, dialect: Dialect, macros: Mapping[str, int]) -> tuple[FarLaunch, ...]:
        found: list[FarLaunch] = []
        if dialect.hosted:
            dialect, macros = HOST, {}
        elif not dialect.is_program_fragment:
            dialect = language_of(dialect).dialect  # the macros of `path` need not stand for annotations elsewhere
        for other in self._launching(kernel, path)[:_MOST_FILES]:
            if not (dialect.host or self._may_see(kernel, path, other)):
                continue
            launching = self._read(other, dialect, macros)
            if launching is None:
                continue
            if (self._loads if dialect.host else self._sees)(launching, kernel, path, other):
                proved = dialect.host or self._sees_it_alone(launching, kernel, path, other)
                included = str(path) in launching.files
                found += [replace(it, proved=proved, included=included) for it in launching.of(kernel)]
        return tuple(found)

    def _launching(self, kernel: str, path: Path) -> Sequence[Path]:
        """The other files that may launch it: by its name, or by one that macros make where they include `path`."""
        named = [it for it in self._index.launching(kernel) if it != path]
        return [*named, *(it for it in self._index.launching_any(path) if it not in named)]

    def _loads(self, launching: _Launching, kernel: str, path: Path, other: Path) -> bool:
        """Whether the kernel that an OpenCL host creates is that of `path`: it names the file, as it would include it,
        or the kernel is the only one of its name."""
        own = {path, *self._index.included(path)}  # a header may declare it
        namesakes = {it for it in self._index.defining(kernel) if it not in own and not it.name.endswith(UNHOSTED)}
        if not namesakes:
            return True
        named = {self._index.resolve(text, True, other, ()) for text in launching.named}
        return path in named and not named & namesakes

    def _sees(self, launching: _Launching, kernel: str, path: Path, other: Path) -> bool:
        """Whether the kernel launched is that of `path`: it is included, or the only one of its name."""
        if str(path) in launching.files:
            return True
        elsewhere = self._defining_besides(kernel, path, other)
        return kernel not in launching.defined and all(str(it) in launching.files for it in elsewhere)

    def _may_see(self, kernel: str, path: Path, other: Path) -> bool:
        """Whether `_sees` may hold once `other` is read: most namesakes are files' own, and reading takes long."""

        def within(file: Path) -> bool:
            return self._index.is_in_unit_of(file, other, MOST_UNITS)

        return within(path) or all(map(within, self._defining_besides(kernel, path, other)))

    def _defining_besides(self, kernel: str, path: Path, other: Path) -> set[Path]:
        """The further files that define a kernel of that name."""
        found = (it for it in self._index.defining(kernel) if not it.name.endswith(HOSTED_SUFFIXES))
        return {*found} - {path, other}

    def _sees_it_alone(self, launching: _Launching, kernel: str, path: Path, other: Path) -> bool:
        """Whether `other` includes `path`, and no other declaration of this name in whatever namespace. A macro
        may make the name in `path`."""
        declaring = {it for it in self._index.defining(kernel) if it == other or str(it) in launching.files}
        return str(path) in launching.files and declaring <= {path} and kernel not in launching.declared

    def _read(self, path: Path, dialect: Dialect, macros: Mapping[str, int]) -> _Launching | None:
        key = path, dialect, tuple(sorted(macros.items()))
        if key not in self._looked_at or key not in self._files:
            self._looked_at.add(key)
            known, _ = self._files.get(key, (None, {}))
            if known is None or not self._stands(path, known):
                read, reads = with_reads(lambda: attempt(lambda: self._facts(path, dialect, macros), str(path)))
                self._files[key] = None if isinstance(read, Defect) else read, reads
                trim(self._files, _MOST_READ)
        found, reads = self._files.get(key, (None, {}))
        note_each(reads)
        return found.launching if found else None

    def _stands(self, path: Path, known: _Read) -> bool:
        same = stamp(path) == known.stamp and self._index.aliases(path) == known.aliases
        return same and self._headers.units(path, known.points, known.dialect) is known.around

    def _kernels_in(self, around: Sequence[UnitContext], dialect: Dialect, name: str) -> Iterator[LocatedItem]:
        """The items of the headers that may define a kernel of that name, as they stand in each inclusion."""
        for file in self._index.defining(name):
            units = [unit for unit in around if str(file) in unit.files]
            read = read_file(file, MAX_BYTES) if units else None
            if isinstance(read, Content):
                scopes = {scope for unit in units for scope in unit.scopes.get(str(file), ((),))}
                for it in self._headers.items_of(file, read.data, dialect):
                    yield from (it._replace(namespaces=(*scope, *it.namespaces)) for scope in sorted(scopes))

    def _facts(self, path: Path, dialect: Dialect, macros: Mapping[str, int]) -> _Read | None:
        now, aliases = stamp(path), self._index.aliases(path)
        read = read_file(path, MAX_BYTES)
        if not isinstance(read, Content):
            return None
        content = read.data
        read_in = with_annotation_macros(dialect, (*macro_summary_lines(content), *self._headers.stated(), *aliases))
        source = self._headers.source(path, content, read_in)
        source.edited = False
        points = source.include_points()
        around = self._headers.units(path, points, source.dialect)
        files: frozenset[str] = frozenset().union(*(unit.files for unit in around))
        declared = _Declared(content, source.placed_items(), around, partial(self._kernels_in, around, read_in))

        def far(it: KernelLaunch) -> FarLaunch:
            line = content.count(b"\n", 0, source.start_of(it.place.item) + it.place.start) + 1
            if dialect.host or it.may_be_of_any_kernel:
                return FarLaunch(str(path), line, it)
            return FarLaunch(str(path), line, it, meant=declared.meant(it), declared=declared.types(it.name))

        launches = tuple(map(far, source.launches(macros, around)))
        defined = source.kernel_names().union(*(unit.kernels for unit in around))
        named = sources_named(content) if dialect.host else frozenset[str]()
        prototypes = frozenset[str]().union(*(unit.prototypes for unit in around))
        handed = (
            names_possibly_passed(content)
            if any(it.launch.may_be_of_any_kernel for it in launches)
            else frozenset[str]()
        )
        launching = _Launching(launches, files, defined, named, prototypes, handed)
        source.close()
        return _Read(now, aliases, points, source.dialect, around, launching)


class _Declared:
    """The kernels that a file and its headers declare. `defined`: the items of headers that define one of a name."""

    def __init__(
        self,
        text: bytes,
        own: Sequence[LocatedItem],
        around: Sequence[UnitContext],
        defined: Callable[[str], Iterator[LocatedItem]],
    ) -> None:
        self._text = text
        self._own = {it.slot: it for it in own}
        self._items = ItemRun(tuple(own))
        self._around = around
        self._defined = defined
        self._by_name: dict[str, Mapping[str, bool]] = {}

    def meant(self, launch: KernelLaunch) -> tuple[tuple[str, bool], ...] | None:
        """What a launch may mean, with namespaces, and whether it is defined there: of an unqualified name the nearest.

        None: the name is in quotes, or nothing in sight bears it.
        """
        if launch.name not in self._by_name:
            self._by_name[launch.name] = dict(sorted(self._named(launch.name)))  # a definition goes before others
        every = self._by_name[launch.name]
        found = {it: own for it, own in every.items() if matches_kernel_name(launch.kernel, it)}
        found = found or {it: own for it, own in every.items() if matches_with_inline_namespaces(launch.kernel, it)}
        if not found and (launch.kernel.startswith("::") or not self._is_borne(launch.name)):
            return None
        here = self._own[launch.place.item].scope_path(())
        around = [it for it in found if (path := it.split("::")[:-1]) == [*here[: len(path)]]]
        if "::" in launch.kernel or not around:
            return tuple(found.items())
        nearest = max(around, key=lambda it: it.count("::"))
        return ((nearest, found[nearest]),)

    def types(self, name: str) -> tuple[str, ...] | None:
        """Those that all prototypes of the name have; None: they differ, or there are none."""
        found = {tuple(it.type for it in prototype.parameters) for _, prototype in self._prototypes(name)}
        return found.pop() if len(found) == 1 else None

    def _is_borne(self, name: str) -> bool:
        """Whether anything has the name: another kernel, a variable, or what a macro makes."""
        senses = "prototypes", "definitions"
        if self._by_name[name] or self._items.has_name(name, *senses):
            return True
        if any(unit.bears(name, *senses) for unit in self._around):
            return True
        return re.search(_OTHERWISE % {b"name": re.escape(name.encode())}, self._text) is not None

    def _named(self, name: str) -> Iterator[tuple[str, bool]]:
        for it in chain(self._declaring(name), self._defined(name)):
            if name in it.names.kernels:
                kernels = (function for function in it.facts.functions if function.kernel and function.name == name)
                yield from (("::".join((*it.scope_path(function.owner), name)), True) for function in kernels)
        for it, prototype in self._prototypes(name):
            if prototype.kernel and not prototype.static:
                yield "::".join((*it.scope_path(()), name)), False

    def _declaring(self, name: str) -> Iterator[LocatedItem]:
        yield from (self._items.items[index] for index in self._items.items_declaring_kernel(name))
        yield from (it for unit in self._around for it in unit.items_declaring_kernel(name))

    def _prototypes(self, name: str) -> Iterator[tuple[LocatedItem, Prototype]]:
        for it in chain(self._declaring(name), self._defined(name)):
            if name in it.names.prototypes:
                yield from ((it, prototype) for prototype in it.facts.prototypes if prototype.name == name)


def _answer(
    callers: Callers, asked: _Asked, cancelled: Cancelled, progress: Progress
) -> tuple[Callers, tuple[FarLaunch, ...]]:
    kernel, path, dialect, macros = asked
    return callers, callers.find(kernel, path, dialect, dict(macros))


def sources_named(content: bytes) -> frozenset[str]:
    """The OpenCL sources that strings of a host name, without what stands for a folder."""
    names = (match[1].decode("utf-8", "replace") for match in _STRING.finditer(content))
    return frozenset(_VARIABLE.sub("", name) for name in names if name.endswith(HOSTED_SUFFIXES))
