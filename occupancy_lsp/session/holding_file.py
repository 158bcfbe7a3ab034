"""A document that may hold several texts with kernels: of a Python file those of Python's own languages and programs in
its strings, of other files shaders in their strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

from occupancy_lsp.core.query import Beside
from occupancy_lsp.core.sequences import shared_bytes
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.edits.ladder.rows import Ladder
from occupancy_lsp.languages.held import HeldPrograms, Opted, Program
from occupancy_lsp.languages.language import Language
from occupancy_lsp.languages.python.programs import Programs
from occupancy_lsp.languages.registry import LANGUAGES, alone_in, read_alone, tells_alone
from occupancy_lsp.languages.shaders_in_strings import ShadersInStrings, syntax_of
from occupancy_lsp.session.carried import Count
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.reports import Around
from occupancy_lsp.session.view import Earlier, OpenFile, Passage, View, too_large
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.vendors.vendor import Options
from occupancy_lsp.workspace.callers import FarLaunch


def may_hold_texts(name: str, language: str) -> bool:
    """Whether a file may have texts with kernels in it, by its name and what the editor calls it."""
    return read_alone(name, language) or syntax_of(name, language) is not None


def open_file(
    path: Path | None, language: str, text: Text, project: Project, edited: bool = True
) -> OpenFile | HoldingFile:
    name = path.name if path is not None else ""
    if read_alone(name, language):
        return HoldingFile(path, language, text, project, Programs())
    if (syntax := syntax_of(name, language)) is not None:
        return HoldingFile(path, language, text, project, ShadersInStrings(syntax))
    return OpenFile(path, language, text, project, edited=edited)


class HoldingFile:
    """Its texts in Python's own languages are the whole document; programs in strings, which `reader` finds, are parts
    of it."""

    def __init__(self, path: Path | None, language: str, text: Text, project: Project, reader: HeldPrograms) -> None:
        self.path = path
        self.text = text
        self._language = language
        self._project = project
        self._languages: tuple[Language, ...] | None = None  # as long as no line changes that tells them
        self._own: dict[str, OpenFile] = {}  # by language
        self._reader = reader
        self._programs: list[_Embedded] = []
        self._numbers = count()
        self._read: bytes | None = None  # the text that these are of
        self._earlier: Earlier = {}

    def edit(self, start: int, end: int, new: bytes) -> None:
        before = self.text.lines_at(start, end)
        self.text.replace(start, end, new)
        if tells_alone(before) or tells_alone(self.text.lines_at(start, start + len(new))):
            self._languages = None
        for it in self._own.values():
            it.edit(start, end, new)

    def replace_all(self, content: bytes) -> None:
        self.text = Text(content)
        self._languages = None
        for it in self._own.values():
            it.replace_all(content)

    def close(self) -> None:
        for it in self._files():
            it.close()

    def saved(self) -> None:
        for it in self._files():
            it.saved()

    def compiled(self, reading: Reading, fingerprints: Mapping[str, str]) -> None:
        for it in self._own.values():
            it.compiled(reading, fingerprints)

    def counts(self) -> tuple[Count, ...]:
        self.views()
        return tuple(count for it in self._own.values() for count in it.counts())

    def tried(self, ladder: Ladder) -> None:
        for it in self._own.values():
            it.tried(ladder)

    def were(self, earlier: Earlier) -> bool:
        self._earlier = earlier
        changed = [it.were(earlier) for it in self._files()]
        return any(changed)

    def ahead(self) -> Iterator[None]:
        if too_large(self.text.content):
            return
        self._read_text()
        yield
        for it in self._files():
            yield from it.ahead()

    def ask(self) -> None:
        for it in self._files():
            it.ask()

    def _files(self) -> list[OpenFile]:
        return [*self._own.values(), *(it.file for it in self._programs)]

    def view(self) -> View | None:
        """The first."""
        return next(iter(self.views()), None)

    def views(self) -> tuple[View, ...]:
        if too_large(self.text.content):
            return ()
        self._read_text()
        return self._views_of(self._programs)

    def views_on_line(self, offset: int) -> tuple[View, ...]:
        """Those that may have something on the line there: programs elsewhere are not read."""
        if too_large(self.text.content):
            return ()
        self._read_text()
        line = self.text.line_of(offset)
        return self._views_of(it for it in self._programs if it.is_on_line(self.text, line))

    def _views_of(self, programs: Iterable[_Embedded]) -> tuple[View, ...]:
        own = [view for it in self._own.values() for view in it.views()]
        return (*own, *(view for it in programs if (view := it.view(self.text)) is not None))

    def _read_text(self) -> None:
        content = self.text.content
        if content is not self._read:
            self._follow(content)
            self._read = content

    def _follow(self, content: bytes) -> None:
        if self._languages is None:
            name = self.path.name if self.path is not None else ""
            self._languages = alone_in(name, self._language, content)
        self._own = {
            it.name: self._own.get(it.name)
            or OpenFile(self.path, self._language, Text(content), self._project, it.dialect)
            for it in self._languages
        }
        found = self._reader.of(content)
        texts = [it.text for it in found]
        known = {(it.language, it.file.text.content): it for it in self._programs}
        same = [known.pop((it.language, text), None) for it, text in zip(found, texts, strict=True)]
        others: dict[str, list[_Embedded]] = {}  # in their order: the one that is typed in
        for other in known.values():
            others.setdefault(other.language, []).append(other)
        self._programs = [
            it or (left.pop(0) if (left := others.get(program.language)) else self._new(program.language))
            for it, program in zip(same, found, strict=True)
        ]
        for embedded, program, text in zip(self._programs, found, texts, strict=True):
            embedded.follow(program, text, self.text, self._folders(program))
        for it in self._files():
            it.were(self._earlier)

    def _new(self, language: str) -> _Embedded:
        return _Embedded(language, self._project, self.path, self._numbers)

    def _folders(self, program: Program) -> tuple[Path, ...]:
        """Where its headers lie, but for those that may be folders of the root or of the file's own."""
        bases = [it for it in (self._project.root, self.path and self.path.parent) if it is not None]
        found = ({at for base in bases if (at := base / name).is_dir()} for name in program.folders)
        return tuple(several.pop() for several in found if len(several) == 1)


class _Embedded:
    """A program in string literals of the document."""

    def __init__(self, language: str, project: Project, path: Path | None, numbers: Iterator[int]) -> None:
        self.language = language
        known = LANGUAGES[language]
        alone = None if known.preprocessed else known.dialect
        # It has no path: what the workspace says of files is not of it.
        self.file = OpenFile(None, known.editors[0], Text(b""), project, alone, Around())
        self._path = path  # of the document
        self._numbers = numbers  # of those that were ever there
        self._at: Path | None = None  # a path of its own
        self._stand_in(())
        self._passages: tuple[Passage, ...] = ()
        self._begin = 0
        self._said: object = None  # by the document around it
        self._shown: tuple[object, View | None] = None, None  # a view of the document, and what it is made of

    def _stand_in(self, folders: tuple[Path, ...]) -> None:
        self._folders = folders
        self._at = self._path / str(next(self._numbers)) if self._path is not None else None

    def follow(self, program: Program, text: bytes, document: Text, folders: tuple[Path, ...]) -> None:
        before = self.file.text.content
        if before != text:
            head, tail = shared_bytes(before, text)
            self.file.edit(head, len(before) - tail, text[head : len(text) - tail])
        if folders != self._folders:
            self._stand_in(folders)
        launches = [(document.line_of(it.offset) + 1, it.launch) for it in program.launches]
        said = launches, program.max_registers, self._at, program.opted
        if said != self._said:
            self._said = said
            self.file.stand_in(self._around(launches, program.max_registers, program.opted))
        self._begin = program.begin
        self._passages = tuple(Passage(it.span.start, it.span.end, it.refused) for it in program.pieces)

    def _around(
        self, launches: list[tuple[int, KernelLaunch]], max_registers: int | None, opted: Opted | None
    ) -> Around:
        by_kernel: dict[str, list[FarLaunch]] = {}
        for line, launch in launches:
            by_kernel.setdefault(launch.name, []).append(FarLaunch(str(self._path or ""), line, launch))
        options = Options(max_registers=max_registers)
        each = {name: tuple(it) for name, it in by_kernel.items()}
        return Around(options, each, self._at, self._folders, opted)

    def is_on_line(self, text: Text, line: int) -> bool:
        return any(text.line_of(it.start) <= line <= text.line_of(it.end) for it in self._passages)

    def view(self, text: Text) -> View | None:
        read = self.file.view()
        if read is None:
            return None
        made_of = read, text, text.line_of(self._passages[0].start), self._passages
        if self._shown[0] != made_of:
            read.source.begin = self._begin
            self._shown = made_of, replace(read, text=text, passages=self._passages, beside=Beside())
        return self._shown[1]
