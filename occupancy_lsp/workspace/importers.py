"""Launches of a kernel in files that import it, of languages whose files are read alone. File I/O.

A launch counts where the import is surely of that kernel: a relative one, or one of a module that a single file of the
workspace may be. All other bindings of the name in the importing file rule it out.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path, PurePosixPath

from occupancy_lsp import languages
from occupancy_lsp.core.code_version import code_version
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.job import Cancelled, Job, Progress
from occupancy_lsp.core.packing import Form, packable
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.importing import Import, defined_names, imported_names, importing
from occupancy_lsp.languages.registry import ALONE, LANGUAGES, alone_in, language_of
from occupancy_lsp.source.incremental.header_cache_version import reader_version
from occupancy_lsp.source.kernels.launch_resolution import ExecutionConfiguration, KernelLaunch
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lower.local_memory_opt_ins import python_may_opt_in
from occupancy_lsp.source.syntax.known_value import ONE, Place, unknown
from occupancy_lsp.workspace import kept_value
from occupancy_lsp.workspace.cache import cache_path, name_of
from occupancy_lsp.workspace.callers import FarLaunch
from occupancy_lsp.workspace.deferred import Deferred, Question
from occupancy_lsp.workspace.walk import MAX_BYTES, Folder, Stamp, found_at, walk

_MOST_FILES = 64
_UNREAD = f"more than {_MOST_FILES} files import a kernel of this name"
_MOST_HOPS = 4  # packages that hand on what they import
_PACKAGE = "__init__.py"
_Asked = tuple[str, Path, Dialect, tuple[tuple[str, int], ...]]


@dataclass(frozen=True, slots=True)
class _File:
    stamp: Stamp
    names: tuple[str, ...]  # that it imports
    special: frozenset[str]  # its functions that specialise warps
    defined: frozenset[str]  # functions and classes, if kernels may be among them
    opts_in: bool  # it may let kernels have more dynamic local memory than others


@dataclass(frozen=True)
class _Known:
    """The files at one moment, by their paths from the root. Any thread may ask."""

    folder: Folder
    files: Mapping[str, _File]

    @cached_property
    def importing(self) -> Mapping[str, tuple[str, ...]]:
        """By name, the files that import it from somewhere."""
        found: dict[str, list[str]] = {}
        for path, it in self.files.items():
            for name in it.names:
                found.setdefault(name, []).append(path)
        return {name: tuple(sorted(paths)) for name, paths in found.items()}

    @cached_property
    def special(self) -> frozenset[str]:
        return frozenset[str]().union(*(it.special for it in self.files.values()))

    @cached_property
    def folders(self) -> frozenset[str]:
        return frozenset(str(above) for path in self.files for above in PurePosixPath(path).parents)

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    @cached_property
    def digest(self) -> bytes:
        """Of what the files say."""
        each = [(it.names, sorted(it.special), sorted(it.defined), it.opts_in) for it in self.files.values()]
        return sha256(repr([*zip(self.files, each, strict=True)]).encode("utf-8", "surrogateescape")).digest()

    def leads(self, it: Import, importer: str, path: str, name: str, hops: int = _MOST_HOPS) -> bool:
        """Whether what `importer` imports is surely what the file at `path` calls `name`."""
        found = self._module(it, importer)
        if found == path:
            return it.name == name
        if found is None or not found.endswith(_PACKAGE) or not hops:
            return False
        content = _content(self.folder, found)
        handed = importing(content).imports.get(it.name, ()) if content is not None else ()
        return bool(handed) and all(self.leads(one, found, path, name, hops - 1) for one in handed)

    def _module(self, it: Import, importer: str) -> str | None:
        """The file of the module that it is imported from; None: none, or one of several."""
        parts = it.module.split(".") if it.module else []
        if it.level:
            above = PurePosixPath(importer).parents
            if it.level > len(above):
                return None
            beside = [*above[it.level - 1].parts, *parts]
            found = [path for path in _files_of("/".join(beside)) if path in self.files]
        else:
            ends = _files_of("/".join(parts))
            found = [path for end in ends for path in self._ending(end)]
            if len(parts) == 1:  # a module of that name may be installed: beside the importer ours comes first
                beside = [*_files_of(str(PurePosixPath(importer).with_name(parts[0])))]
                found = [path for path in found if path in beside]
        return found[0] if len(found) == 1 else None

    def _ending(self, end: str) -> Iterator[str]:
        named = self._by_name.get(end.rpartition("/")[2], ())
        return (path for path in named if path == end or path.endswith(f"/{end}"))


class Importers:
    def __init__(self, root: Path) -> None:
        self._known = _Known(Folder(root), {})
        self.found: Deferred[_Asked, None, tuple[FarLaunch, ...]] = Deferred()

    def digest(self) -> bytes:
        """Another one if any answer may be another, which hang on nothing else but on the text of the files."""
        return self._known.digest

    def special(self) -> frozenset[str]:
        """The functions of all files with which kernels of others have more threads than are asked for."""
        return self._known.special

    def defining(self, kernel: str) -> tuple[Path, ...]:
        """The files that may define a kernel called so, `scale` or `Scale.kernel`."""
        parts = frozenset(kernel.split("."))
        return tuple(self._known.folder.absolute(path) for path, it in self._known.files.items() if parts <= it.defined)

    def opt_in(self, besides: Path) -> bool:
        """Return whether any other file may let kernels have more dynamic local memory than they get by default."""
        own = self._known.folder.relative(str(besides))
        return any(it.opts_in for path, it in self._known.files.items() if path != own)

    def rest(self) -> None:
        """Nobody asks now."""
        self._known = _Known(self._known.folder, self._known.files)
        self.found.clear()

    def reading(self) -> Job[_Known | None]:
        """Look at every file that is not known as it is now."""
        return Job(partial(_read_all, self._known), self._take_known)

    def concerns(self, path: Path) -> bool:
        """Whether it is such a file, or a folder that has or had one."""
        return is_alone(path.name) or self._known.folder.relative(str(path)) in self._known.folders

    def updating(self, paths: Iterable[Path]) -> Job[Mapping[str, _File]]:
        """Read these again, files or folders that were created, changed or deleted."""
        folder = self._known.folder
        places = frozenset(place for path in paths if (place := folder.relative(str(path))))
        return Job(partial(_read_places, folder, places), partial(self._take_places, places))

    def _take_places(self, places: frozenset[str], read: Mapping[str, _File]) -> bool:
        """The others as they are known by now: all may have been read meanwhile."""
        folders, known = tuple(f"{it}/" for it in places), self._known
        left = {path: it for path, it in known.files.items() if path not in places and not path.startswith(folders)}
        return self._take_known(_Known(known.folder, {**left, **read}))

    def _take_known(self, known: _Known | None) -> bool:
        if known is None:
            return False
        # Even where no import differs, what is launched may.
        self._known = known
        self.found.outdate()
        return True

    def working(self) -> Job[tuple[FarLaunch, ...] | None] | None:
        """Work out the latest that was asked for and is not known; None: all is."""
        question = self.found.next()
        if question is None:
            return None
        return Job(partial(_answer, self._known, question.key), partial(self._take, question, self._known))

    def _take(
        self,
        question: Question[_Asked, None, tuple[FarLaunch, ...]],
        known: _Known,
        answer: tuple[FarLaunch, ...] | None,
    ) -> bool:
        if answer is None or known is not self._known:
            self.found.wait(question)
            return False
        return self.found.take(question, answer)

    def launches(self, kernel: str, path: Path, dialect: Dialect, macros: Mapping[str, int]) -> tuple[FarLaunch, ...]:
        """Of the kernel with this name that the file at `path` defines."""
        if language_of(dialect).launched_in is None or kernel not in self._known.importing:
            return ()
        asked = kernel, path, dialect, tuple(sorted(macros.items()))
        return self.found.get(asked, None, lambda: _find(self._known, asked) or (), ())


def _answer(known: _Known, asked: _Asked, cancelled: Cancelled, progress: Progress) -> tuple[FarLaunch, ...] | None:
    return _find(known, asked, cancelled)


def _find(known: _Known, asked: _Asked, cancelled: Cancelled = lambda: False) -> tuple[FarLaunch, ...] | None:
    """None: cancelled."""
    kernel, path, dialect, macros = asked
    launched_in, target = language_of(dialect).launched_in, known.folder.relative(os.path.abspath(path))
    others = [it for it in known.importing.get(kernel, ()) if it != target]
    if launched_in is None or target is None:
        return ()
    found: list[FarLaunch] = []
    for other in others[:_MOST_FILES]:
        if cancelled():
            return None
        content = _content(known.folder, other)
        file = attempt(lambda text=content: importing(text), other) if content is not None else None  # type: ignore[misc]
        if content is None or file is None or isinstance(file, Defect):
            continue
        at = str(known.folder.absolute(other))
        for name, sources in file.imports.items():
            if all(known.leads(it, other, target, kernel) for it in sources):
                each = launched_in(file, kernel, name, dict(macros))
                found += (FarLaunch(at, content.count(b"\n", 0, start) + 1, launch) for start, launch in each)
    if len(others) > _MOST_FILES:
        found.append(_unread(kernel, known.folder.absolute(others[_MOST_FILES])))
    return tuple(found)


def _unread(kernel: str, path: Path) -> FarLaunch:
    """What may stand in the files that are not read, the first of which is at `path`: a launch of any size."""
    nowhere = Place(0, 0, 0)
    of_any_size = nowhere, (unknown(_UNREAD), ONE, ONE)
    sizes = ExecutionConfiguration(of_any_size, of_any_size)
    launch = KernelLaunch(kernel, kernel, nowhere, nowhere, sizes, None)
    return FarLaunch(str(path), 1, launch, proved=False, unread=True)


def _files_of(module: str) -> tuple[str, ...]:
    return (f"{module}.py", f"{module}/{_PACKAGE}") if module else (_PACKAGE,)


def _content(folder: Folder, relative: str) -> bytes | None:
    read = read_file(folder.absolute(relative), MAX_BYTES)
    return read.data if isinstance(read, Content) else None


@dataclass(frozen=True, slots=True)
class _Kept:
    files: tuple[tuple[str, _File], ...]


@remembered(1)
def _form() -> Form[_Kept]:
    return Form(_Kept)


@remembered(1)
def _version() -> bytes:
    """Of what reads such files; empty: it cannot be told."""
    reader, own = reader_version(), code_version(languages)
    return reader + own if reader and own else b""


def _read_all(known: _Known, cancelled: Cancelled, progress: Progress) -> _Known | None:
    path = cache_path(known.folder, "imports", name_of(known.folder.real)) if _version() else None
    kept = kept_value.load(path, _form(), _version()) if path else None
    before = dict(kept.files) if kept else {}
    files: dict[str, _File] = {}
    for relative, now in walk(known.folder, cancelled, wanted=is_alone).items():
        if cancelled():
            return None
        was = known.files.get(relative) or before.get(relative)
        if (found := _file(known.folder, relative, now, was)) is not None:
            files[relative] = found
    if cancelled():
        return None
    if path and files != before:
        kept_value.save(path, _form(), _version(), _Kept(packable(files)))
    return _Known(known.folder, files)


def _read_places(
    folder: Folder, places: frozenset[str], cancelled: Cancelled, progress: Progress
) -> Mapping[str, _File]:
    there = {path: now for place in places for path, now in found_at(folder, place, is_alone).items()}
    return {path: found for path, now in there.items() if (found := _file(folder, path, now)) is not None}


def is_alone(name: str) -> bool:
    return name.endswith(ALONE)


def _file(folder: Folder, relative: str, now: Stamp, known: _File | None = None) -> _File | None:
    if known is not None and known.stamp == now:
        return known
    content = _content(folder, relative)
    if content is None:
        return None
    imported = tuple(sorted({*imported_names(content)}))
    defined = frozenset(_defined(relative, content))
    return _File(now, imported, _special(relative, content), defined, python_may_opt_in(content))


def _defined(relative: str, content: bytes) -> Iterator[str]:
    if alone_in(relative, "", content):
        yield from defined_names(content)


def _special(relative: str, content: bytes) -> frozenset[str]:
    asking = [it.specialising for it in LANGUAGES.values() if it.specialising is not None]
    found = (attempt(partial(asked, content), relative) for asked in asking)
    return frozenset(name for names in found if not isinstance(names, Defect) for name in names)
