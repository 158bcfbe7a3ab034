"""The translation units that a file is part of: its headers, and for a header the files that include it. File I/O."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.job import Cancelled, Job, Progress
from occupancy_lsp.core.query import remembered, trim
from occupancy_lsp.core.reads import note
from occupancy_lsp.languages.registry import language_of
from occupancy_lsp.languages.shader_builds import ShaderBuilds
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import (
    DEVICE_MACROS,
    Dialect,
    host_and_device_passes_differ,
    reads_equally_in_dialects,
)
from occupancy_lsp.source.lex.work_limits import is_file_too_large
from occupancy_lsp.source.lower.header_symbols import PlacedItemRun
from occupancy_lsp.source.lower.item_facts import Include
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.translation_unit import (
    NOTHING,
    IncludedFile,
    IncludePoint,
    UnitContext,
    context_of_root,
    contexts_of_header,
    has_pragma_once,
    have_same_content,
    runs_before_file,
)
from occupancy_lsp.workspace.build_files import Makefile, read_makefile, words_of_folder
from occupancy_lsp.workspace.cache import cache_path
from occupancy_lsp.workspace.compile_flags import Compilation
from occupancy_lsp.workspace.compiled_as import CompiledAs
from occupancy_lsp.workspace.deferred import Deferred, Question
from occupancy_lsp.workspace.header_store import HeaderStore
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.programs import Programs
from occupancy_lsp.workspace.walk import MAX_BYTES, Stamp, stamp

MOST_UNITS = 8
_NONE: Mapping[str, IncludedFile] = {}
_MOST_KEPT, _MOST_TEXTS, _MOST_READINGS = 256, 2_000, 16
_Key = tuple[Path, Dialect]
_Units = tuple[UnitContext, ...]
_Reading = tuple[Dialect, tuple[Path, ...]]
_Included = dict[tuple[str, bool, str], tuple[str, IncludedFile | None] | None]  # by what an #include says and who does


@dataclass(slots=True)
class _Known:
    stamp: Stamp
    content: bytes
    dialect: Dialect
    text: IncludedFile


class Headers:
    """Remembers what it has read for as long as the files on disk stay as they are."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.compiled_as = CompiledAs(index, self._words_for)
        self._programs = Programs(index)
        self._store = HeaderStore(cache_path(index.folder, "headers"))
        self._texts: dict[tuple[str, str], _Known | None] = {}
        self._checked: set[tuple[str, str]] = set()  # since files may have changed
        self._stated: tuple[tuple[str, str], ...] = ()
        self._shaders = ShaderBuilds()
        self._words: dict[Path, frozenset[str]] = {}
        self._makefiles: dict[Path, Makefile] = {}
        self._alone: dict[tuple[frozenset[str] | None, frozenset[str]], _Units] = {}
        self._last: dict[_Key, _Units] = {}
        self._asked: set[_Key] = set()  # since files may have changed
        self._held: dict[Path, tuple[Path, ...]] = {}  # texts that stand in files, and where their headers lie
        self._included: dict[_Reading, _Included] = {}  # the same
        self._moment = 0  # another one whenever they may have
        self._rests = 0
        self.contexts: Deferred[_Key, tuple[IncludePoint, ...], _Units] = Deferred()

    def state(self, macros: tuple[tuple[str, str], ...], shaders: ShaderBuilds) -> bool:
        """What the user says of macros that no file in sight defines, and of how shaders are built. True: it is another
        than before."""
        if (macros, shaders) == (self._stated, self._shaders):
            return False
        self._stated, self._shaders = macros, shaders
        self.files_changed()
        return True

    def stated(self) -> tuple[str, ...]:
        """The same, as the files themselves would say it."""
        return tuple(f"{name} {text}" for name, text in self._stated)

    def files_changed(self) -> None:
        """Files may have changed on disk."""
        self._moment += 1
        self.contexts.outdate()
        self._last = {key: it for key, it in self._last.items() if key in self._asked}  # the rest nobody asks for
        self._asked = set()
        self._included = {}
        self._checked = set()
        self._words = {}
        self._makefiles = {}
        self.compiled_as.clear()

    def rest(self) -> None:
        """Nobody asks now: let go of what was read, which the caches on disk have. Work under way is not taken."""
        self.contexts.clear()
        for known in (self._texts, self._checked, self._last, self._asked, self._included, self._alone):
            known.clear()
        for found in (self._words, self._makefiles, self.compiled_as):
            found.clear()
        self._programs.rest()
        self._moment += 1
        self._rests += 1

    # -- in a thread

    def working(self) -> Job[tuple[Headers, _Units]] | None:
        """Work out the latest that was asked for and is not known; None: all is."""
        question = self.contexts.next()
        return Job(partial(_answer, self.copy(), question), partial(self._take, question)) if question else None

    def _take(self, question: Question[_Key, tuple[IncludePoint, ...], _Units], worked: tuple[Headers, _Units]) -> bool:
        copy, answer = worked
        if self.adopt(copy):
            return self.contexts.take(question, answer)
        self.contexts.wait(question)
        return False

    def copy(self) -> Headers:
        """With all that was read so far, for another thread."""
        same = Headers(self.index.copy())
        same.compiled_as.database = self.compiled_as.database
        same._programs, same._store = self._programs.copy(same.index), self._store
        same._texts, same._checked = {**self._texts}, {*self._checked}
        same._last, same._asked = {**self._last}, {*self._asked}
        same._words, same._makefiles = {**self._words}, {**self._makefiles}
        same._held = {**self._held}
        same._stated, same._shaders = self._stated, self._shaders
        same._moment, same._rests = self._moment, self._rests
        return same

    def adopt(self, copy: Headers) -> bool:
        """Remember what a copy has read. False: files may have changed since it was made; its answers are outdated."""
        if copy._rests != self._rests:
            return False
        current = copy._moment == self._moment
        self._texts.update(it for it in copy._texts.items() if current or it[0] not in self._checked)
        trim(self._texts, _MOST_TEXTS)
        if current:
            self._programs.adopt(copy._programs)
            self._checked |= copy._checked
            self._last.update(copy._last)
            trim(self._last, _MOST_KEPT)
            self._asked |= copy._asked
            self._words.update(copy._words)
            self._makefiles.update(copy._makefiles)
        return current

    # -- asking

    def around(self, path: Path, points: tuple[IncludePoint, ...], dialect: Dialect) -> _Units:
        """Of the file at `path` with these #includes: one for each translation unit it is part of."""
        commanded = path in self.compiled_as.database
        makefile = self._makefile(path.parent)
        plain = not (
            self._stated or self._shaders.macros_of(path) or commanded or makefile.macros or makefile.may_debug
        )
        if not points and plain and not self._has_roots(path, dialect):
            settable = self._settable(dialect, path.parent, seen=(path,))
            return self._without_headers(settable, self._given(dialect, settable))
        return self.contexts.get((path, dialect), points, lambda: self.units(path, points, dialect), (NOTHING,))

    def around_text(
        self, path: Path, folders: tuple[Path, ...], points: tuple[IncludePoint, ...], dialect: Dialect
    ) -> _Units:
        """The same of a text that a file holds, with a path of its own below that. `folders`: where its headers lie."""
        if not points:
            return (NOTHING,)
        self._held[path] = folders
        trim(self._held, _MOST_KEPT)
        return self.contexts.get((path, dialect), points, lambda: self.units(path, points, dialect), (NOTHING,))

    def _makefile(self, folder: Path) -> Makefile:
        if folder not in self._makefiles:
            self._makefiles[folder] = read_makefile(folder)
        return self._makefiles[folder]

    def _without_headers(self, settable: frozenset[str] | None, given: frozenset[str]) -> _Units:
        """The same object for the same words: what was worked out beside it stays known."""
        return self._alone.setdefault((settable, given), (replace(NOTHING, settable=settable, given=given),))

    def units(self, path: Path, points: tuple[IncludePoint, ...], dialect: Dialect) -> _Units:
        """`around`, worked out anew; the same object if nothing has changed, so that what hangs on it stays known."""
        found = self.units_with(path, points, dialect)
        self._asked.add((path, dialect))
        last = self._last.get((path, dialect), ())
        if len(last) != len(found) or not all(map(have_same_content, last, found)):
            last = self._last[path, dialect] = found
            trim(self._last, _MOST_KEPT)
        return last

    def units_with(
        self,
        path: Path,
        points: tuple[IncludePoint, ...],
        dialect: Dialect,
        instead: Mapping[str, IncludedFile] = _NONE,
    ) -> _Units:
        """`units` where some files, by their paths, say something else than on disk."""
        found = [
            unit for root in self._roots(path, dialect) for unit in self._within(root, path, points, dialect, instead)
        ]
        if found and not (dialect.predefined.built_anyhow and path.name.endswith(language_of(dialect).units)):
            return tuple(found)
        for command in self._commands(path, dialect):
            unit = context_of_root(str(path), points, self._resolver(path, command, dialect, instead))
            found.append(self._as_compiled(unit, path, path, command, dialect))
        itself = self.text(path, dialect) if self.index.includes_itself(path) else None
        return (*found, *(self._within(itself, path, points, dialect, instead) if itself is not None else ()))

    def texts_ahead(self, path: Path, dialect: Dialect) -> Iterator[None]:
        """Read at each step one of the files that `units_with` takes, as far as their names tell which."""
        roots = () if dialect.is_program_fragment else self.index.roots_including(path, MOST_UNITS)
        for it in dict.fromkeys(it for root in (*roots, path) for it in (root, *self.index.included(root))):
            if it != path:
                self.text(it, dialect)
                yield

    def _within(
        self,
        root: IncludedFile,
        path: Path,
        points: tuple[IncludePoint, ...],
        dialect: Dialect,
        instead: Mapping[str, IncludedFile],
    ) -> Iterator[UnitContext]:
        """The file each time that `root` includes it."""
        host = Path(root.path)
        for command in self._commands(host, dialect):
            for unit in contexts_of_header(str(path), points, root, self._resolver(host, command, dialect, instead)):
                yield self._as_compiled(unit, path, host, command, dialect)

    def _commands(self, root: Path, dialect: Dialect) -> Sequence[Compilation | None]:
        """One for each unit that a compiler makes of it; None: how is not known."""
        known = self.compiled_as.units(root) if root not in self._held else ()
        return known[: 1 if dialect.is_program_fragment else None] or (None,)

    def _has_roots(self, path: Path, dialect: Dialect) -> bool:
        found = self.index.includers(path) if dialect.is_program_fragment else self.index.roots_including(path, 1)
        return bool(found)

    def _roots(self, path: Path, dialect: Dialect) -> Sequence[IncludedFile]:
        """What a compiler is given that reaches this file."""
        if dialect.is_program_fragment:
            return self._programs.holding(path, dialect)
        roots = self.index.roots_including(path, MOST_UNITS)
        return [text for root in roots if (text := self.text(root, dialect)) is not None]

    def _as_compiled(
        self, unit: UnitContext, path: Path, root: Path, given: Compilation | None, dialect: Dialect
    ) -> UnitContext:
        """With what the command line of `root` defines; where that is not known, with what the build may define."""
        if root in self._held:
            return unit
        if given is None or dialect.is_program_fragment:
            # The host program, not a build file, says what OpenCL sources are compiled with.
            makefile = self._makefile(root.parent)
            defined = () if dialect.hosted else (*makefile.macros, *self._debugging(root, makefile))
            host = {str(root)} if dialect.is_program_fragment else set()
            seen = (path, *map(Path, unit.files - host)) if dialect.hosted else ()
            settable = self._settable(dialect, path.parent, root.parent, seen=seen)
            unit = replace(unit, settable=settable, given=self._given(dialect, settable))
        else:
            defined = tuple((name, value) for name, value in dict(given.macros).items() if value is not None)
            unit = replace(unit, settable=given.doubted, given=given.doubted, commanded=not given.doubted)
        stated = *self._stated, *self._shaders.macros_of(root)
        if not defined and not stated:
            return unit
        lines = "".join(f"#define {name} {value}\n" for name, value in (*stated, *defined))
        return replace(unit, runs=(*before_all(lines.encode(), dialect), *unit.runs))

    def _debugging(self, root: Path, makefile: Makefile) -> Sequence[tuple[str, str]]:
        found = self.compiled_as.debugging(root) if makefile.may_debug else ()
        return [(name, value) for name, value in found if value is not None]

    def _settable(self, dialect: Dialect, *folders: Path, seen: Sequence[Path]) -> frozenset[str] | None:
        """The macros that a build of what is in the folders may define, besides the files `seen`; None: any."""
        if dialect.predefined.built_anyhow:
            return None
        words = frozenset[str]().union(*map(self._words_for, folders))
        if not dialect.hosted:
            return words | self.index.given_in_strings()
        given = self.index.given_by_hosts(seen)
        return words | given if given is not None else None

    def _given(self, dialect: Dialect, settable: frozenset[str] | None) -> frozenset[str]:
        """The macros that may be another than the text's default: a build file mentions them, or a host's options."""
        return self.index.given_in_options() if dialect.hosted else settable or frozenset()

    def _words_for(self, folder: Path) -> frozenset[str]:
        """The words of the build files in the folder and those above it: a build starts there."""
        known = self._words.get(folder)
        if known is None:
            above = self._words_for(folder.parent) if self.index.root in folder.parents else frozenset[str]()
            known = self._words[folder] = words_of_folder(folder) | above
        return known

    def _resolver(
        self, root: Path, given: Compilation | None, dialect: Dialect, instead: Mapping[str, IncludedFile]
    ) -> _Resolver:
        folders = self._held.get(root)
        if folders is None:
            folders = given.include_dirs if given is not None else self._makefile(root.parent).include_folders
        known = self._included.setdefault((dialect, folders), {})
        trim(self._included, _MOST_READINGS)
        return _Resolver(self, folders, dialect, instead, known)

    def find(self, include: Include, includer: str, folders: tuple[Path, ...]) -> Path | None:
        return self.index.resolve(include.path, include.quoted, includer, folders)

    def source(self, path: Path, content: bytes, dialect: Dialect) -> Source:
        """The file, whose text is `content`. What others read, too, is read once; the rest the caches have."""
        if self._is_read_by_others(path):
            return Source(content, dialect, self.items_of(path, content, dialect))
        now = stamp(path)
        saved = now is not None and now.size == len(content)
        return self._store.source(content, dialect) if saved else Source(content, dialect)

    def ahead(self, path: Path, content: bytes, dialect: Dialect) -> Iterator[None]:
        """Read in steps what `source` takes from the caches."""
        found = read_file(path, MAX_BYTES)
        if isinstance(found, Content) and found.data == content and not is_file_too_large(content):
            yield from self._store.ahead(content, dialect)

    def items_of(self, path: Path, content: bytes, dialect: Dialect) -> Sequence[LocatedItem]:
        """The items of a file that others read, too; none if it says something else on disk than `content`."""
        if self.text(path, dialect) is None:
            return ()
        known = self._texts[str(path), dialect.name]
        if known is None or known.content != content:
            return ()
        return known.text.placed_items

    def _is_read_by_others(self, path: Path) -> bool:
        """Who includes it, the headers with kernels that it includes, and the kernels elsewhere that it launches."""
        own = self.index.entry(path)
        if self.index.includers(path) or (own is not None and not {*own.launches} <= {*own.kernels}):
            return True
        return any(it is not None and it.mentions_kernels for it in map(self.index.entry, self.index.included(path)))

    def text(self, path: Path, dialect: Dialect) -> IncludedFile | None:
        note(str(path), MAX_BYTES)
        key = str(path), dialect.name
        if key not in self._checked or key not in self._texts:
            self._checked.add(key)
            before = self._texts.get(key)
            if before is None or stamp(path) != before.stamp:
                self._texts[key] = self._read(path, dialect)
                trim(self._texts, _MOST_TEXTS)
        known = self._texts.get(key)
        if known is not None and not reads_equally_in_dialects(known.dialect, dialect, known.content):
            known = self._texts[key] = self._read(path, dialect)  # other macros stand for annotations
        return known.text if known else None

    def _read(self, path: Path, dialect: Dialect) -> _Known | None:
        now = stamp(path)
        found = read_file(path, MAX_BYTES) if now else None
        if now is None or not isinstance(found, Content) or is_file_too_large(found.data):
            return None
        by_device, two_passes = DEVICE_MACROS.search(found.data) is not None, host_and_device_passes_differ(found.data)
        items = self._store.read(found.data, dialect)
        return _Known(
            now, found.data, dialect, IncludedFile(str(path), items, has_pragma_once(found.data), by_device, two_passes)
        )


def _answer(
    headers: Headers,
    question: Question[_Key, tuple[IncludePoint, ...], _Units],
    cancelled: Cancelled,
    progress: Progress,
) -> tuple[Headers, _Units]:
    path, dialect = question.key
    return headers, headers.units(path, question.given, dialect)


@remembered(64)
def before_all(content: bytes, dialect: Dialect) -> tuple[PlacedItemRun, ...]:
    """The items of text that stands before a file's first line."""
    return runs_before_file(Source(content, dialect).placed_items())


@dataclass(frozen=True, slots=True)
class _Resolver:
    headers: Headers
    folders: tuple[Path, ...]
    dialect: Dialect
    instead: Mapping[str, IncludedFile]
    known: _Included

    def __call__(self, include: Include, includer: str) -> IncludedFile | None:
        key = include.path, include.quoted, includer
        found = self.known.get(key)
        if found is None and key not in self.known:
            path = self.headers.find(include, includer, self.folders)
            found = (str(path), self.headers.text(path, self.dialect)) if path is not None else None
            self.known[key] = found
        elif found is not None:
            note(found[0], MAX_BYTES)
        return (self.instead.get(found[0]) or found[1]) if found is not None else None
