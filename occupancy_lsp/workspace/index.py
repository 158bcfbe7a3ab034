"""The sources of a whole workspace: which file an include means, who includes it, where kernels are and are launched.

Does the file I/O: reads what may hold GPU code below one root, and keeps what it read in the user's cache directory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.job import Cancelled, Job, Progress
from occupancy_lsp.languages.registry import HOSTED_SUFFIXES
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines
from occupancy_lsp.workspace import cache
from occupancy_lsp.workspace.cache import Scanned, cache_file, hash_of_text
from occupancy_lsp.workspace.graph import Graph
from occupancy_lsp.workspace.scan import ANY, Entry, scan_file, scan_python
from occupancy_lsp.workspace.walk import MAX_BYTES, Folder, Stamp, found_at, is_indexed, is_source, walk


@dataclass(frozen=True, slots=True)
class _Known:
    """The files at one moment."""

    files: Mapping[str, Scanned]
    graph: Graph
    built: bool


@dataclass(frozen=True, slots=True)
class _Update:
    """What stands at some places now, and what is known with it if nothing else was learnt since `before`."""

    places: frozenset[str]
    read: Mapping[str, Scanned]
    before: _Known
    after: _Known


class Index:
    """Until it is built it knows of no files, and `resolve` looks at the disk alone.

    Paths come back below the root as it was given, with links in them followed. Every answer is of one moment.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = Folder(root)
        self._known = _Known({}, Graph(self.folder, {}), False)

    def copy(self) -> Index:
        """What is known now, for another thread: it stays as it is."""
        same = Index(self.root)
        same._known = self._known
        return same

    def rest(self) -> None:
        """Nobody asks now: let go of what can be found out again at once."""
        self._known = replace(self._known, graph=self._known.graph.rested())

    # -- reading

    def build(self, cancelled: Cancelled, progress: Progress) -> None:
        self.building().now(cancelled, progress)

    def building(self) -> Job[_Known | None]:
        """Scan every source file that is not known as it is now; `progress`: files done, of all. Never raises.

        Cancelled, it leaves everything as it was. What changes while it runs has to be updated after it.
        """
        return Job(partial(_read_all, self.folder, self._known.files), self._take_all)

    def _take_all(self, known: _Known | None) -> bool:
        if known is not None:
            self._known = known
        return known is not None

    def update(self, paths: Iterable[Path]) -> bool:
        return self.updating(paths).now()

    def updating(self, paths: Iterable[Path]) -> Job[_Update]:
        """Read these again, files or folders that were created, changed or deleted. True: an entry differs."""
        places = frozenset(place for path in paths if (place := self.folder.relative(str(path))))
        return Job(partial(_read_places, self.folder, places, self._known), self._take_update)

    def _take_update(self, update: _Update) -> bool:
        was = self._known
        self._known = update.after if was is update.before else _updated(was, update.places, update.read)
        return self._known.graph.entries != was.graph.entries

    # -- asking

    def digest(self) -> bytes:
        """Another one if any answer may be another, which hang on nothing else but on which files there are."""
        return self._known.graph.digest

    def paths(self) -> tuple[Path, ...]:
        return self._absolute(sorted(filter(is_source, self._known.graph.entries)))

    def path_of(self, path: Path) -> Path | None:
        """The path by which it is known here, links followed; None: it stands outside."""
        name = self._name(path)
        return self.folder.absolute(name) if name else None

    def entry(self, path: Path) -> Entry | None:
        return self._known.graph.entries.get(self._name(path))

    def resolve(self, text: str, quoted: bool, includer: Path | str, include_dirs: Sequence[Path]) -> Path | None:
        """The file in the root that an include means; None: none, or one outside, wherever a compiler would find it.

        It is beside the includer if quoted, or in the first of the folders, or the only one whose path ends as written.
        """
        return self._known.graph.meant(text, quoted, str(includer), tuple(include_dirs))

    def aliases(self, path: Path) -> tuple[str, ...]:
        """Definitions of macros that stand for annotations in a file, its headers and those who include it."""
        return self._known.graph.aliases(self._name(path))

    def own_aliases(self, path: Path, content: bytes) -> tuple[str, ...]:
        """Those in the file itself, which reads so now."""
        known = self._known.files.get(name) if is_source(name := self._name(path)) else None
        is_as_read = known is not None and known.text == hash_of_text(content)
        return known.entry.aliases if known is not None and is_as_read else macro_summary_lines(content)

    def included_by_unit(self, path: Path) -> frozenset[str]:
        """All that the nearest translation unit of a file includes whatever macros are set, as written."""
        return self._known.graph.included_by_unit(self._name(path))

    def optional_in_unit(self, path: Path) -> frozenset[str]:
        """What that unit includes only where a macro asks for it, as written."""
        return self._known.graph.optional_in_unit(self._name(path))

    def includers(self, path: Path) -> tuple[Path, ...]:
        """The files that include it directly, in order of their names."""
        return self._absolute(self._known.graph.includers.get(self._name(path), ()))

    def included(self, path: Path) -> tuple[Path, ...]:
        """All files that it includes, directly or not."""
        return self._absolute(sorted(self._known.graph.included(self._name(path))))

    def includes_itself(self, path: Path) -> bool:
        return self._known.graph.includes_itself(self._name(path))

    def included_names(self, path: Path) -> Iterator[str]:
        """Of the files that it includes directly, as it writes them, the last parts."""
        entry = self.entry(path)
        yield from (text.rpartition("/")[2] for text, _ in entry.includes) if entry is not None else ()

    def include_folders(self, path: Path) -> tuple[Path, ...]:
        """Where a compiler has to look for the headers of this root that a file reaches."""
        return self._absolute(self._known.graph.include_folders(self._name(path)))

    def roots_including(self, path: Path, limit: int = 8) -> tuple[Path, ...]:
        """Files that a compiler is started on and nobody includes, which reach this one: the nearest first."""
        return self._absolute(self._known.graph.roots_including(self._name(path), limit))

    def given_by_hosts(self, seen: Iterable[Path]) -> frozenset[str] | None:
        """The macros that hosts may define for the OpenCL program that is made of these files; None: any."""
        return self._known.graph.given_by_hosts({self._name(path) for path in seen})

    def given_in_options(self) -> frozenset[str]:
        """Return the macros that hosts in sight may give to OpenCL programs."""
        return self._known.graph.given_in_options

    def given_in_strings(self) -> frozenset[str]:
        """Return the macros that programs in sight may hand to a compiler of CUDA or HIP."""
        return self._known.graph.given_in_strings

    def program_options(self) -> tuple[str, ...]:
        """With what hosts may build OpenCL programs, of the options that choose how code is made; "" for none."""
        return self._known.graph.program_options

    def launching(self, name: str) -> tuple[Path, ...]:
        """`name`: a kernel's, without namespaces."""
        return self._absolute(self._known.graph.launching.get(name, ()))

    def launching_any(self, path: Path) -> tuple[Path, ...]:
        """Return the files that include this one and launch kernels by names that macros make."""
        graph, name = self._known.graph, self._name(path)
        return self._absolute(it for it in graph.launching.get(ANY, ()) if it in graph.including(name))

    def with_objects(self, kind: str) -> tuple[Path, ...]:
        """The files that may launch kernels as objects of this kind, or do with them what is called so."""
        return self._absolute(self._known.graph.with_objects.get(kind, ()))

    @property
    def lowers(self) -> bool:
        """Whether any file has one of the words of `lowering`."""
        return bool(self._known.graph.lowering)

    def lowering(self) -> Iterator[tuple[str, tuple[Path, ...]]]:
        """Where a share of a unit's memory may be lowered, by the name of the kernel whose it is, as in `Entry`."""
        for name, files in self._known.graph.lowering.items():
            yield name, self._absolute(files)

    def naming(self, path: Path, name: str) -> tuple[Path, ...]:
        """Where a kernel of the file may be named: what declares it, and all that includes one of these."""
        graph = self._known.graph
        declaring = {self._name(path), *graph.defining.get(name, ())}
        found = declaring.union(*map(graph.including, declaring))
        return tuple(sorted({path, *self._absolute(filter(None, found))}))

    def including(self, path: Path) -> tuple[Path, ...] | None:
        """All files that include it, directly or not; None: a file elsewhere has its name, which some may mean."""
        graph, name = self._known.graph, self._name(path)
        return self._absolute(sorted(graph.including(name))) if graph.is_named_once(name) else None

    def is_in_unit_of(self, path: Path, other: Path, limit: int) -> bool:
        """Return whether a translation unit that `other` is part of has this file, too. `limit`: of units looked at."""
        return self._known.graph.is_in_unit_of(self._name(path), self._name(other), limit)

    @property
    def built(self) -> bool:
        return self._known.built

    def defining(self, name: str) -> tuple[Path, ...]:
        """Also where it is declared only."""
        return self._absolute(self._known.graph.defining.get(name, ()))

    def kernel_names(self) -> Iterable[str]:
        """Of all kernels that are defined or declared, without namespaces."""
        return self._known.graph.defining.keys()

    def _absolute(self, relatives: Iterable[str]) -> tuple[Path, ...]:
        return tuple(map(self.folder.absolute, relatives))

    def _name(self, path: Path) -> str:
        """Empty: outside the root; no file is called so."""
        relative = self.folder.relative(os.path.abspath(path)) or ""
        return self._known.graph.file(relative) or relative


def _read_all(folder: Folder, known: Mapping[str, Scanned], cancelled: Cancelled, progress: Progress) -> _Known | None:
    kept = cache_file(folder)
    cached = cache.load(kept, folder) if kept else {}
    files: dict[str, Scanned] = {}
    stamps = walk(folder, cancelled, wanted=is_indexed)
    for count, (relative, now) in enumerate(stamps.items(), 1):
        if cancelled():
            break
        if scanned := _scanned(folder, relative, now, known.get(relative) or cached.get(relative)):
            files[relative] = scanned
        progress(count, len(stamps))
    if cancelled():
        return None
    graph = Graph(folder, {relative: it.entry for relative, it in files.items()})
    _ = graph.includers  # the slowest answer; here nobody waits for it
    if kept and files != cached:
        cache.save(kept, folder, files)
    return _Known(files, graph, True)


def _scanned(folder: Folder, relative: str, now: Stamp, known: Scanned | None = None) -> Scanned | None:
    if known and known.stamp == now:
        return known
    content = read_file(Path(folder.path + relative), MAX_BYTES)
    if not isinstance(content, Content):
        return None
    entry = attempt(lambda: _entry(relative, content.data), relative)
    return None if isinstance(entry, Defect) else Scanned(now, entry, hash_of_text(content.data))


def _entry(relative: str, content: bytes) -> Entry:
    return scan_file(content, relative.endswith(HOSTED_SUFFIXES)) if is_source(relative) else scan_python(content)


def _read_places(
    folder: Folder, places: frozenset[str], known: _Known, cancelled: Cancelled, progress: Progress
) -> _Update:
    read = dict(_read(folder, places))
    after = _updated(known, places, read)
    _ = after.graph.includers  # as above
    return _Update(places, read, known, after)


def _read(folder: Folder, places: Iterable[str]) -> Iterator[tuple[str, Scanned]]:
    for place in places:
        for relative, now in found_at(folder, place, is_indexed).items():
            if scanned := _scanned(folder, relative, now):
                yield relative, scanned


def _updated(known: _Known, places: frozenset[str], read: Mapping[str, Scanned]) -> _Known:
    """With what was read at these places."""
    files, entries = {**known.files}, {**known.graph.entries}
    for path in _at_or_below(known.files, places):
        del files[path], entries[path]
    if known.built:
        files.update(read)
        entries.update((path, it.entry) for path, it in read.items())
    # Of a place that is not indexed an answer may be remembered too.
    if entries == known.graph.entries and places <= entries.keys():
        return _Known(files, known.graph, known.built)
    return _Known(files, known.graph.with_entries(entries, places), known.built)


def _at_or_below(files: Mapping[str, Scanned], places: frozenset[str]) -> Iterator[str]:
    """A place that is no file may be a folder."""
    yield from places & files.keys()
    if folders := tuple(f"{place}/" for place in places - files.keys()):
        yield from (path for path in files if path.startswith(folders) and path not in places)
