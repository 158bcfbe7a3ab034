"""Every file of the workspace that launches a kernel, as it stands: in the editor if it is open there, else on disk.

Asked before something is changed that all launches must agree on: where not all of them are seen, it says why.
Does the file I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from functools import cached_property
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.core.query import remembered, trim
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.steps import Steps, finished
from occupancy_lsp.languages.registry import UNHOSTED
from occupancy_lsp.source.dataflow.opencl_launches import ENQUEUE
from occupancy_lsp.source.incremental.active_text import possibly_active_text
from occupancy_lsp.source.incremental.address_taken import count_calls, has_other_mention
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.kernel_text import FileFacts, KernelText
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import HOST
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros
from occupancy_lsp.source.sema.translation_unit import IncludedFile, UnitContext, has_pragma_once
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.workspace.callers import sources_named
from occupancy_lsp.workspace.headers import Headers
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.scan import ANY, OBJECTS, scan_file
from occupancy_lsp.workspace.walk import MAX_BYTES, is_source, is_unit

_MOST = 64  # files that are looked at
_OTHER_OBJECTS = regex(rb"(?<!\w)(?:clEnqueueTask\s*\(|cl::Kernel\b|(?:cl::)?(?:KernelFunctor|make_kernel)\b)")
_MODULE = regex(rb'(?<!\w)(?:(?:cu|hip)ModuleGetFunction|cuLibraryGetKernel)\s*\((?:[^,;]*,){2}\s*("[^"\n]*")?')


@dataclass(frozen=True, slots=True, eq=False)
class CurrentFile:
    """A file as it stands. `files`: what it includes; `defined`: the kernels in it and in them.

    `path` None: the document that is looked at.
    """

    path: Path | None
    content: bytes
    source: KernelText
    facts: FileFacts
    files: frozenset[str] = frozenset()
    defined: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Unseen:
    """Not all launches are seen."""

    reason: str


class Launchers:
    """Of the kernels of the file at `path`, which reads as `own`. `opened`: what stands in the editor, by path.

    A file is read once, however many of the kernels it launches; `known` keeps what was read for the next time.
    """

    def __init__(
        self,
        index: Index,
        headers: Headers,
        path: Path,
        own: Source,
        macros: Mapping[str, int],
        opened: Mapping[Path, bytes],
        known: dict[Path, CurrentFile],
    ) -> None:
        self._index, self._headers, self._path = index, headers, path
        self._hosted = own.dialect.hosted
        self._source = own
        self._dialect = HOST if self._hosted else own.dialect
        self._macros = {} if self._hosted else macros
        self._opened = {index.path_of(it) or it: content for it, content in opened.items()}
        self._stands = own.placed_items(), opened.get(path, b"")
        self._files: dict[Path, CurrentFile] = {}
        self._known = known
        self._read_headers: dict[Path, CurrentFile] = {}

    @cached_property
    def _own(self) -> IncludedFile:
        items, content = self._stands
        return IncludedFile(str(self._path), items, has_pragma_once(content), False)

    def of(self, kernel: Kernel) -> tuple[CurrentFile, ...] | Unseen:
        """The other files that launch it."""
        return finished(self._search(kernel))

    def ahead(self, kernel: Kernel) -> Iterator[None]:
        """Read at each step a little of the files that `of` looks at, for later."""
        yield from self._search(kernel)

    def _search(self, kernel: Kernel) -> Steps[tuple[CurrentFile, ...] | Unseen]:
        if not self._index.built:
            return Unseen("the workspace is not read yet")
        naming = self._naming(kernel.name)
        asked = naming | {*self._index.with_objects("program" if self._hosted else "module")} - {self._path}
        if len(asked) > _MOST:
            return Unseen("too many files may launch it")
        found: list[CurrentFile] = []
        for path in sorted(asked):
            content = self._content(path)
            if content is None:
                return Unseen(f"{path.name} may launch it, and cannot be read")
            if self._hosted:
                launches = yield from self._enqueues(kernel, path, content)
            else:
                launches = self._in_module(kernel, path, content)
                if not launches and path in naming:
                    launches = yield from self._names(kernel, path, content)
            if isinstance(launches, Unseen):
                return launches
            found += [self._files[path]] if launches else []
        return tuple(found)

    def header_with(self, place: Place, files: Sequence[CurrentFile]) -> tuple[CurrentFile, Place] | None:
        """The header that a number of these files stands in, if no other file includes it.

        It has no kernels and launches none, and stands in the editor as on disk. `path` None: of the document.
        """
        among = {file.path or self._path for file in files}
        own = self._headers.units_with(self._path, self._source.include_points(), self._source.dialect)
        included = frozenset[str]().union(*(it.files for it in own), *(it.files for it in files))
        for path in map(Path, sorted(included - {str(it) for it in among})):
            text = self._headers.text(path, self._dialect)
            order = next((it.order for it in text.placed_items if it.slot == place.item), None) if text else None
            content = self._content(path) if order is not None else None
            if order is None or content is None:
                continue
            if not self._is_only_of(path, among) or content != read_bytes(path, MAX_BYTES):
                return None
            if path not in self._read_headers:
                source = Source(content, self._dialect)
                self._read_headers[path] = CurrentFile(path, content, source, source.facts({}))
            return self._read_headers[path], self._read_headers[path].source.place_in_item_of_order(order, place)
        return None

    def _is_only_of(self, header: Path, among: Set[Path]) -> bool:
        """Whether no other file that is compiled, has kernels or launches them, sees what stands in the header."""
        including = self._index.including(header)
        if including is None:
            return False
        others = {path: self._index.entry(path) for path in (header, *including) if path not in among}
        return not any(is_unit(path) or not it or it.kernels or it.launches for path, it in others.items())

    def given(self) -> frozenset[str] | None:
        """The macros that hosts may define for an OpenCL source; None: any."""
        return self._index.given_by_hosts((self._path,))

    def say(self, told: Callable[[bytes], object], kernel: str) -> bool:
        """Whether this is true of the code of another file that may name the kernel, where some compiler sees it."""
        return any(_says(path, self._content(path) or b"", told) for path in self._naming(kernel))

    def _naming(self, kernel: str) -> set[Path]:
        """The other files that may name it: by what was on disk when it was indexed, or by what is open."""
        found = {*self._index.launching(kernel), *self._index.launching(ANY)}
        if not self._hosted:
            found.update(self._index.naming(self._path, kernel))
        opened = ((path, content) for path, content in self._opened.items() if path != self._path)
        inside = (it for it in opened if self._index.root in it[0].parents)
        found.update(path for path, content in inside if not {kernel, ANY}.isdisjoint(_launched_in(content)))
        return found - {self._path}

    def _content(self, path: Path) -> bytes | None:
        return self._opened[path] if path in self._opened else read_bytes(path, MAX_BYTES)

    def _file(self, path: Path, content: bytes) -> Steps[CurrentFile]:
        if path not in self._files:
            dialect = with_annotation_macros(self._dialect, (*macro_summary_lines(content), *self._index.aliases(path)))
            known = self._known.get(path)
            same = known is not None and known.content == content and known.source.dialect is dialect
            source = known.source if known is not None and same else Source(content, dialect)
            instead = {} if self._hosted else {self._own.path: self._own}
            yield from source.read_ahead()
            yield from self._headers.texts_ahead(path, source.dialect)
            around = self._headers.units_with(path, source.include_points(), source.dialect, instead)
            yield
            yield from source.facts_ahead(self._macros, around)
            self._files[path] = self._known[path] = self._read(path, content, source, around)
            trim(self._known, _MOST)
        return self._files[path]

    def _read(self, path: Path, content: bytes, source: KernelText, around: tuple[UnitContext, ...]) -> CurrentFile:
        files = frozenset[str]().union(*(unit.files for unit in around))
        included = frozenset[str]().union(*(unit.kernels for unit in around))
        facts = source.facts(self._macros, around)
        return CurrentFile(path, content, source, facts, files, included | {it.name for it in facts.kernels})

    def _enqueues(self, kernel: Kernel, path: Path, content: bytes) -> Steps[bool | Unseen]:
        """Whether a host of OpenCL does: it makes a kernel of that name, of a program that may be of this file."""
        makes = kernel.name in scan_file(content).launches
        if not makes and not any(it in content for it in OBJECTS["program"]):
            return False
        meant = {self._index.resolve(text, True, path, ()) for text in sources_named(content)}
        others = {it for it in self._index.defining(kernel.name) if not it.name.endswith(UNHOSTED)} - {self._path}
        if self._path not in meant and (meant & others if makes else meant):
            return False
        if makes and others and (self._path not in meant or meant & others):
            return Unseen(f"{path.name} may launch it, or another kernel of its name")
        file = yield from self._file(path, content)
        told = len({it.place for it in file.facts.launches if it.name})
        if _OTHER_OBJECTS.search(content) or told != count_calls(file.source, ENQUEUE):
            return Unseen(f"{path.name} may launch it in a way that is not understood")
        return any(it.name == kernel.name for it in file.facts.launches)

    def _in_module(self, kernel: Kernel, path: Path, content: bytes) -> bool | Unseen:
        """Whether a file may take it out of a module by its name, or by one that it puts together."""
        name = kernel.name.encode()
        for named in _MODULE.findall(content):
            if name in named or (not named and (name in content or self._path.stem.encode() in content)):
                return Unseen(f"{path.name} may launch it as a part of a module")
        return False

    def _names(self, kernel: Kernel, path: Path, content: bytes) -> Steps[bool | Unseen]:
        """Whether a file launches the kernel that this one defines, and does nothing else with it."""
        if kernel.name.encode() not in content and ANY not in _launched_in(content):
            return False
        file = yield from self._file(path, content)
        launches = any(it.name == kernel.name for it in file.facts.launches)
        otherwise = has_other_mention(file.source, file.facts, kernel.name)
        if str(self._path) not in file.files and (launches or otherwise):
            if kernel.name in file.defined:
                return False
            for other in self._index.defining(kernel.name):
                if (yield from self._defines(kernel.name, other)):
                    return Unseen(f"{path.name} may launch it, or another kernel of its name")
        if file.facts.lost:
            return Unseen(f"{path.name} could not be analysed in whole")
        return Unseen(f"{path.name} uses it other than by launching it") if otherwise else launches

    def _defines(self, kernel: str, path: Path) -> Steps[bool]:
        """Whether another file does, with a body."""
        content = self._content(path) if path != self._path else None
        if content is None:
            return False
        file = yield from self._file(path, content)
        return any(it.name == kernel for it in file.facts.kernels)


@remembered(8)  # of files that are open: at a key at most one of them is another
def _launched_in(content: bytes) -> Collection[str]:
    return scan_file(content).launches


def _says(path: Path, content: bytes, told: Callable[[bytes], object]) -> bool:
    if not told(content):
        return False
    return not is_source(path.name) or bool(told(possibly_active_text(content)))
