"""A document that may hold several texts with kernels: those of Python's own languages, and programs in its strings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

from occupancy_lsp.core.query import Beside
from occupancy_lsp.core.sequences import shared_bytes
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.edits.ladder.rows import Ladder
from occupancy_lsp.languages.python.programs import Program, Programs
from occupancy_lsp.languages.registry import LANGUAGES, alone_in, read_alone
from occupancy_lsp.session.carried import Count
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.reports import Around
from occupancy_lsp.session.view import MAX_BYTES, Earlier, OpenFile, Passage, View
from occupancy_lsp.vendors.vendor import Options
from occupancy_lsp.workspace.callers import FarLaunch


def open_file(path: Path | None, language: str, text: Text, project: Project) -> OpenFile | PythonFile:
    name = path.name if path is not None else ""
    return (PythonFile if read_alone(name, language) else OpenFile)(path, language, text, project)


class PythonFile:
    """Its texts in Python's own languages are the whole document; programs in strings are parts of it."""

    def __init__(self, path: Path | None, language: str, text: Text, project: Project) -> None:
        self.path = path
        self.text = text
        self._language = language
        self._project = project
        self._own: dict[str, OpenFile] = {}  # by language
        self._reader = Programs()
        self._programs: list[_Embedded] = []
        self._numbers = count()
        self._read: bytes | None = None  # the text that these are of
        self._earlier: Earlier = {}

    def edit(self, start: int, end: int, new: bytes) -> None:
        self.text.replace(start, end, new)
        for it in self._own.values():
            it.edit(start, end, new)

    def replace_all(self, content: bytes) -> None:
        self.text = Text(content)
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

    def _files(self) -> list[OpenFile]:
        return [*self._own.values(), *(it.file for it in self._programs)]

    def view(self) -> View | None:
        """The first."""
        return next(iter(self.views()), None)

    def views(self) -> tuple[View, ...]:
        content = self.text.content
        if len(content) > MAX_BYTES:
            return ()
        if content is not self._read:
            self._follow(content)
            self._read = content
        own = [view for it in self._own.values() for view in it.views()]
        return (*own, *(view for it in self._programs if (view := it.view(self.text)) is not None))

    def _follow(self, content: bytes) -> None:
        name = self.path.name if self.path is not None else ""
        languages = alone_in(name, self._language, content)
        self._own = {
            it.name: self._own.get(it.name)
            or OpenFile(self.path, self._language, Text(content), self._project, it.dialect)
            for it in languages
        }
        found = self._reader.of(content)
        known = {(it.language, it.file.text.content): it for it in self._programs}
        same = [known.pop((it.language, it.text), None) for it in found]
        others: dict[str, list[_Embedded]] = {}  # in their order: the one that is typed in
        for other in known.values():
            others.setdefault(other.language, []).append(other)
        self._programs = [
            it or (left.pop(0) if (left := others.get(program.language)) else self._new(program.language))
            for it, program in zip(same, found, strict=True)
        ]
        for embedded, program in zip(self._programs, found, strict=True):
            embedded.follow(program, self.path, self._folders(program))
        for it in self._files():
            it.were(self._earlier)

    def _new(self, language: str) -> _Embedded:
        return _Embedded(language, self._project, self._numbers)

    def _folders(self, program: Program) -> tuple[Path, ...]:
        """Where its headers lie, but for those that may be folders of the root or of the file's own."""
        bases = [it for it in (self._project.root, self.path and self.path.parent) if it is not None]
        found = ({at for base in bases if (at := base / name).is_dir()} for name in program.folders)
        return tuple(several.pop() for several in found if len(several) == 1)


class _Embedded:
    """A program in string literals of the document."""

    def __init__(self, language: str, project: Project, numbers: Iterator[int]) -> None:
        self.language = language
        known = LANGUAGES[language]
        alone = None if known.preprocessed else known.dialect
        # It has no path: what the workspace says of files is not of it.
        self.file = OpenFile(None, known.editors[0], Text(b""), project, alone, Around())
        self._passages: tuple[Passage, ...] = ()
        self._begin = 0
        self._numbers = numbers  # of those that were ever there
        self._number = next(numbers)
        self._folders: tuple[Path, ...] = ()
        self._shown: tuple[object, View | None] = None, None  # a view of the document, and what it is made of

    def follow(self, program: Program, path: Path | None, folders: tuple[Path, ...]) -> None:
        before, text = self.file.text.content, program.text
        if before != text:
            head, tail = shared_bytes(before, text)
            self.file.edit(head, len(before) - tail, text[head : len(text) - tail])
        launches: dict[str, list[FarLaunch]] = {}
        for it in program.launches:
            far = FarLaunch(str(path or ""), it.line, it.launch)
            launches.setdefault(it.launch.name, []).append(far)
        options = Options(max_registers=program.max_registers)
        if folders != self._folders:
            self._number, self._folders = next(self._numbers), folders
        at = path / str(self._number) if path is not None else None
        self.file.stand_in(Around(options, {name: tuple(each) for name, each in launches.items()}, at, folders))
        self._begin = program.begin
        self._passages = tuple(Passage(it.span.start, it.span.end, it.refused) for it in program.pieces)

    def view(self, text: Text) -> View | None:
        read = self.file.view()
        if read is None:
            return None
        made_of = read, text, text.line_of(self._passages[0].start), self._passages
        if self._shown[0] != made_of:
            read.source.begin = self._begin
            self._shown = made_of, replace(read, text=text, passages=self._passages, beside=Beside())
        return self._shown[1]
