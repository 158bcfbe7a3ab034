"""What build results and sidecars below a folder say: found, read, kept in step with the disk. Does the file I/O."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from occupancy_lsp.builds import store
from occupancy_lsp.builds.attribution import (
    SIDECAR_SUFFIX,
    Attribution,
    Place,
    is_named_after,
    join,
    without_overtaken,
)
from occupancy_lsp.builds.cache import WATCHED, find_cached, of_sources_in
from occupancy_lsp.builds.compiled_for import on_targets
from occupancy_lsp.builds.faults import Faults
from occupancy_lsp.builds.find import (
    CODE,
    MAX_BYTES,
    MESSAGES_ANYWHERE,
    USUAL,
    Found,
    Sniffer,
    find_sidecars,
    from_root,
    is_built,
    is_code,
    is_inside,
    is_message,
    matches_any,
    read_sidecar,
)
from occupancy_lsp.builds.joining import companions, has_binary, is_cached, stands_in, told_together
from occupancy_lsp.builds.origins import Origin, depfiles, origin
from occupancy_lsp.builds.store import Kept, Stamps
from occupancy_lsp.builds.tracked import Tracked
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.job import Cancelled, Job, Progress
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.reads import note
from occupancy_lsp.counts.cute_names import names_of
from occupancy_lsp.counts.formats.amd_kernel import UNKNOWN
from occupancy_lsp.counts.names import name_parts, same_kernel
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.settings import FILE_NAME
from occupancy_lsp.workspace.compile_commands import CompileCommands
from occupancy_lsp.workspace.importers import is_alone
from occupancy_lsp.workspace.index import Index


@dataclass(frozen=True, slots=True)
class _Read:
    stamps: Stamps  # of the file and of those beside it that bear on what it says
    depends: Stamps  # of its dependency files
    reading: Reading
    origin: Origin
    stray: bool = False  # found by its content, outside of build folders


@dataclass(frozen=True, slots=True)
class Search:
    """Where results are looked for, and what is known of them. `globs`: those of the settings alone.

    `caches`: folders outside the root that the user allowed to be read.
    """

    root: Path | None
    globs: tuple[str, ...]
    builds: tuple[str, ...]
    commands: CompileCommands
    known: Mapping[Path, _Read]
    caches: tuple[Path, ...] = ()

    def holds(self, path: Path) -> bool:
        """Whether a plain file is one to read: links of the workspace may not lead out of it."""
        folders = filter(None, (self.root, *(self.caches if not _is_below(self.root, path) else ())))
        return any(_is_in(folder, path) for folder in folders)

    def is_stray(self, path: Path) -> bool:
        """Whether a file speaks for kernels by its content alone, and not by its name, nor by where it lies."""
        relative = from_root(self.root, path)
        if relative is None or is_inside(relative, self.builds) or matches_any((*USUAL, *self.globs), relative):
            return False
        return is_message(path.name) and not has_binary(path)

    def along(self, commands: CompileCommands, builds: Iterable[Path]) -> Search:
        """The same in other build folders."""
        found = {from_root(self.root, it) for it in (*builds, *commands.folders)} - {None}
        return replace(self, commands=commands, builds=tuple(sorted(filter(None, found))))


@dataclass(frozen=True, slots=True)
class Scanned:
    search: Search
    found: Found
    files: Mapping[Path, _Read]


_NOTHING_SAID = Attribution()
_MOST_PASSED_OVER = 4
_MOST_SNIFFED = 64  # of the files that changed at a time, while an editor waits
_TOO_MANY = ("json", "jsonl")  # of these an editor would tell all day; a scan finds them
_MOMENT = 1e-3  # seconds
_KEPT_BY_GIT = "not used: it is under version control, so it may be of another build"
_NOT_FOLLOWED = "not followed: a link out of the folder"
_EVERY = 1_000_000


class Results:
    """`root` None: files outside every folder, for which only what stands beside them is read."""

    def __init__(self, root: Path | None, index: Index | None) -> None:
        self.alone: Callable[[str], tuple[Path, ...]] = lambda kernel: ()  # files read alone that may define it
        self.architecture_of: Callable[[str], str | None] = lambda device: None  # by a device's name
        self._root = root
        self._index = index
        self._globs: tuple[str, ...] = USUAL
        self._named: tuple[str, ...] = ()  # those of the settings alone
        self._caches: tuple[Path, ...] = ()  # outside the root
        self._builds: tuple[str, ...] = ()
        self._commands = CompileCommands()
        self._files: Mapping[Path, _Read] = {}
        self._found = Found(())
        self._faults: Faults | None = None  # of what was read so far, once somebody asks
        self._compiled: dict[tuple[Path, str | None], Reading] = {}  # by source and architecture
        self._failed: dict[Path, Problem] = {}  # by the source file: why no compiler that was asked says anything
        self._beside: dict[Path, Reading] = {}  # by the source file
        self._by_name: dict[str, list[Usage]] = {}
        self._origins: dict[str, Origin] = {}
        self._stray: frozenset[str] = frozenset()  # paths outside of build folders
        self._joined: dict[tuple[str, Path | None], Attribution] = {}
        self._outdated: dict[tuple[str, float, Path], bool] = {}

    # -- reading

    def search(self, globs: Sequence[str], caches: tuple[Path, ...] = ()) -> Search:
        """For `scan`, which any thread may do. What changes meanwhile has to be looked at after it."""
        self._globs, self._named, self._caches, self._faults = (*USUAL, *globs), tuple(globs), caches, None
        return self._search()

    def _search(self) -> Search:
        return Search(self._root, self._named, self._builds, self._commands, self._files, self._caches)

    def take(self, scanned: Scanned) -> None:
        search = scanned.search
        self._builds, self._commands, self._found = search.builds, search.commands, scanned.found
        self._take(scanned.files)

    def _take(self, files: Mapping[Path, _Read]) -> None:
        files = {path: self._on_known_devices(it) for path, it in files.items()}
        every = [(usage, read.origin) for read in files.values() for usage in read.reading.usages]
        for (source, arch), reading in self._compiled.items():
            every += ((usage, Origin(source)) for usage in reading.usages if usage.arch == arch)
        by_name: dict[str, list[Usage]] = {}
        for usage, _ in every:
            by_name.setdefault(name_parts(usage.kernel)[-1], []).append(usage)
        self._files, self._by_name, self._faults = files, by_name, None
        self._origins = {usage.path: made for usage, made in every}
        self._stray = frozenset(str(path) for path, read in files.items() if read.stray)
        self._beside = {}
        self.files_changed()

    def _on_known_devices(self, read: _Read) -> _Read:
        """With architectures in place of devices' names, where these are known."""
        usages = read.reading.usages
        if not (names := {it.device_name for it in usages if it.device_name is not None}):
            return read
        archs: dict[str | None, str] = {it: self.architecture_of(it) or it for it in names}
        known = tuple(replace(it, arch=archs.get(it.device_name, it.arch)) for it in usages)
        return replace(read, reading=replace(read.reading, usages=known))

    def add(self, readings: Iterable[tuple[Path, Reading]]) -> None:
        """What a compiler that was asked says of sources, in place of what it said for the same architecture."""
        for source, reading in readings:
            self._failed.pop(source, None)
            if reading.problems and not reading.usages:
                self._failed[source] = reading.problems[0]
            for arch in {usage.arch for usage in reading.usages}:
                self._compiled[source, arch] = reading
        self._take(self._files)

    def with_others(self, source: Path, reading: Reading, kernels: Collection[str]) -> Reading:
        """What a compiler says of these kernels alone, with what it said before of the source's others."""
        archs = {usage.arch for usage in reading.usages}
        before = [it for (path, arch), it in self._compiled.items() if path == source and arch in archs]
        usages = (usage for it in before for usage in it.usages if not _is_of(usage.kernel, kernels))
        remarks = (remark for it in before for remark in it.remarks if not _is_of(remark.kernel or "", kernels))
        return replace(reading, usages=(*reading.usages, *usages), remarks=(*reading.remarks, *remarks))

    def drop(self, source: Path) -> None:
        """What a compiler said of a source is of a text that is gone."""
        self._compiled = {key: it for key, it in self._compiled.items() if key[0] != source}
        self._take(self._files)

    def changing(self, paths: Sequence[Path]) -> Job[Mapping[Path, _Read | None]]:
        """Read these again if they are results. True: what is said may differ."""
        self.files_changed()  # what is older than one of them now may not have been
        sniffer = Sniffer(_MOST_SNIFFED)
        told = {path for path in paths if self.is_result(path, sniffer)}
        depends = {path for path in paths if path.suffix == ".d"}
        told |= {path for path in self._files if depends and not depends.isdisjoint(depfiles(path))}
        told |= {beside for path in paths for beside in told_together(path) if self.is_result(beside)}
        return Job(partial(_read_again, self._search(), frozenset(told)), self._take_changed)

    def _take_changed(self, read: Mapping[Path, _Read | None]) -> bool:
        if not read:
            return False
        if self._root is None:
            self._beside, self._faults = {}, None
            self.files_changed()
            return True
        files = {path: it for path, it in self._files.items() if path not in read}
        files.update((path, it) for path, it in read.items() if it is not None)
        self._take(dict(sorted(files.items())))
        return True

    def is_result(self, path: Path, sniffer: Sniffer | None = None) -> bool:
        if path in self._files:
            return True
        relative = from_root(self._root, path) if self._root is not None else path.name
        if relative is None:
            return is_cached(path) and any(_is_below(it, path) for it in self._caches)
        if path.name == FILE_NAME:
            return False
        return matches_any(self._globs, relative) or is_built(
            path, relative, self._builds, sniffer or Sniffer(_MOST_SNIFFED)
        )

    def rest(self) -> None:
        """Nobody asks now."""
        # In place, here and below: what is made anew while memory is full keeps the megabyte around it.
        for source in [source for source, it in self._beside.items() if not it.problems]:
            del self._beside[source]
        self.files_changed()

    def files_changed(self) -> None:
        """Other files may have changed."""
        self._joined.clear()
        self._outdated.clear()

    # -- asking

    def has_any(self) -> bool:
        return bool(self._by_name)

    def says_anything(self) -> bool:
        """Whether any result was read, or one that cannot be: then it counts when files were written."""
        said = (*(it.reading for it in self._files.values()), *self._beside.values())
        return bool(self._compiled) or any(it.usages or it.problems for it in said)

    def watch_globs(self) -> tuple[str, ...]:
        code = (f"**/*.{it}" for it in sorted(CODE))
        return (
            *self._globs,
            *(f"**/{it.removeprefix('**/')}" for it in WATCHED),
            *code,
            *(f"**/*.{it}" for it in sorted(MESSAGES_ANYWHERE) if it not in _TOO_MANY),
            *(f"{it}/**" for it in self._builds),
        )

    def joined(self, kernel: str, source: Path | None) -> Attribution:
        """All that is said of the kernel with this qualified name in this file, for whatever architecture."""
        key = kernel, source
        if key not in self._joined:
            usages = self._bearing(kernel, source)
            if not usages:
                return _NOTHING_SAID
            place = self._place(kernel, source) if source is not None else None
            self._joined[key] = without_overtaken(join(usages, place, self._origins), self._stray)
        return self._joined[key]

    def _bearing(self, kernel: str, source: Path | None) -> list[Usage]:
        names = (kernel, *names_of(kernel, source))
        named = (it for name in names for it in self._by_name.get(name.rsplit("::", 1)[-1], ()))
        every = (*named, *self._usages_beside(source))
        return [it for it in every if any(same_kernel(it.kernel, name) for name in names)]

    def _usages_beside(self, source: Path | None) -> tuple[Usage, ...]:
        """Of the sidecar beside a source file, if no scan has found it."""
        if source is None:
            return ()
        if source not in self._beside:
            path = source.with_name(source.name + SIDECAR_SUFFIX)
            self._beside[source] = read = Reading() if path in self._files else read_sidecar(path)
            self._faults = None if read.problems else self._faults
        return self._beside[source].usages

    def _place(self, kernel: str, source: Path) -> Place:
        index = self._index
        if index is None:
            return Place(source, (), (source,), _mtime(source))
        units = (source, *index.roots_including(source))
        defining = (*index.defining(kernel.rsplit("::", 1)[-1]), *(self.alone(kernel) if is_alone(source.name) else ()))
        others = (it for it in defining if it != source)
        rivals = (it for it in others if set(units).isdisjoint((it, *index.roots_including(it))))
        return Place(source, tuple(rivals), units, _mtime(source))

    def has_counts(self, source: Path, arch: str) -> bool:
        """Whether something compiled from the source for the architecture is newer than it and its headers."""
        written = _mtime(source)
        made = (usage for several in self._by_name.values() for usage in several if usage.arch == arch)
        of_source = (it for it in made if self._origins[it.path].source == source)
        return any(it.mtime >= written and not self.is_outdated(it, source) for it in of_source)

    def inputs(self, usage: Usage, source: Path) -> frozenset[Path]:
        """The files that went into it beside the kernel's own, or that may have, where no dependency file tells."""
        made = self._origins.get(usage.path, Origin())
        if made.depends is not None or self._index is None:
            return frozenset(made.depends or ()) - {source}
        units = (made.source,) if made.source else self._index.roots_including(source, _EVERY)
        return frozenset(it for unit in (source, *units) for it in (unit, *self._index.included(unit))) - {source}

    def is_outdated(self, usage: Usage, source: Path) -> bool:
        """Whether a file that went into it, other than the kernel's own, was changed after it.

        Or whether the kernel's own is older, and another text: it was put in place of what was compiled.
        """
        key = usage.path, usage.mtime, source
        if key not in self._outdated:
            depends = self._origins.get(usage.path, Origin()).depends
            if depends is None:
                depends = self._index.included(source) if self._index is not None else ()
            changed = any(_mtime(it) > usage.mtime for it in depends if it != source)
            self._outdated[key] = changed or (_mtime(source) <= usage.mtime and not stands_in(usage, source))
        return self._outdated[key]

    def problems(self) -> Iterator[Problem]:
        """Faults that a person can mend; what of a build folder could not be read is in `readings` alone."""
        yield from self._known_faults().every

    def problems_near(self, sources: Collection[Path]) -> Iterator[Problem]:
        """Those of files that the settings name, and of what stands beside these sources or in a folder above them."""
        yield from self._known_faults().near(sources)

    def _known_faults(self) -> Faults:
        if self._faults is None:
            of_files = (
                it.reading.problems for path, it in self._files.items() if it.reading.problems and self._tells(path)
            )
            beside = (it.problems for it in self._beside.values())
            every = chain.from_iterable((self._found.problems, *of_files, *beside))
            self._faults = Faults(self._root, self._named, every)
        return self._faults

    def _tells(self, path: Path) -> bool:
        relative = from_root(self._root, path)
        return relative is None or matches_any(self._globs, relative)

    def instances(self, source: Path, arch: str, kernels: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """Of each of these kernels what a compiler that was asked counted, as it names that."""
        reading = self._compiled.get((source, arch), Reading())
        return {name: frozenset(it.kernel for it in reading.usages if same_kernel(it.kernel, name)) for name in kernels}

    def outcome(self, source: Path, arch: str) -> str:
        """How a compiler that was asked counted the source's kernels, or why it did not; "": none was asked."""
        if reading := self._compiled.get((source, arch)):
            return reading.usages[0].how
        return str(self._failed.get(source, ""))

    def why_uncounted(self, source: Path) -> list[Problem]:
        """Why its kernels have no counts: it was not compiled, or what was compiled from it could not be read."""
        units = (source, *(self._index.roots_including(source) if self._index is not None else ()))
        failed = [self._failed[it] for it in units if it in self._failed]
        made = [(path, it) for path, it in self._files.items() if it.reading.problems and not it.reading.usages]
        unread = [
            it.reading.problems[0]
            for path, it in made
            if (it.origin.source in units if it.origin.source else is_named_after(path, source))
        ]
        return list(dict.fromkeys((*failed, *unread, *self.passed_over())))

    def passed_over(self) -> tuple[Problem, ...]:
        """Logs and profiles of which nothing is used, one for each, and links that are not followed: worth knowing
        where a kernel has no count. What git keeps is told by `doctor` alone."""
        faulty = (
            it.reading
            for path, it in self._files.items()
            if it.reading.problems and not self._tells(path) and not is_code(path.name)
        )
        unread = [
            replace(it.problems[0], grave=False)
            for it in faulty
            if it.problems[0].message != _KEPT_BY_GIT and not any(map(_is_of_a_device, it.usages))
        ]
        links = [
            Problem(str(it), 0, 0, _NOT_FOLLOWED, "copy what a build wrote into a folder `build`", grave=False)
            for it in self._found.links
        ]
        every = (*links, *unread)
        if len(every) <= _MOST_PASSED_OVER:
            return every
        more = f"and {len(every) - _MOST_PASSED_OVER} more files are not read; `occupancy-lsp doctor` lists them"
        return *every[:_MOST_PASSED_OVER], Problem(str(self._root), 0, 0, more, grave=False)

    def readings(self) -> Mapping[Path, Reading]:
        return {path: it.reading for path, it in self._files.items()}

    @property
    def large(self) -> tuple[Path, ...]:
        """Files that may hold device code and are too large to be read."""
        return self._found.large

    @property
    def builds(self) -> tuple[str, ...]:
        """The build folders looked at, from the root and with slashes."""
        return self._builds


def _is_of(written: str, kernels: Collection[str]) -> bool:
    return any(same_kernel(written, it) for it in kernels)


def scan(search: Search, cancelled: Cancelled, progress: Progress) -> Scanned | None:
    """Look for results below the root and read those that changed. Slow. None: cancelled, or there is no root."""
    if search.root is None:
        return None
    found = find_sidecars(search.root, search.globs, search.builds)
    kept = _kept(search.known) or store.load(store.store_of(search.root))
    files: dict[Path, _Read] = {}
    outside = (path for cache in search.caches for path in find_cached(cache))
    paths = tuple(dict.fromkeys((*found.paths, *outside)))
    tracked = Tracked(search.root)
    for done, path in enumerate(paths, 1):
        if cancelled():
            return None
        files[path] = _read(search, path, kept, tracked)
        progress(done, len(paths))
    now = _kept(files)
    if now != kept:
        store.save(store.store_of(search.root), now)
    return Scanned(search, found, files)


def _kept(files: Mapping[Path, _Read]) -> Mapping[str, Kept]:
    """What the next start need not read."""
    return {
        str(path): Kept(it.stamps, it.reading)
        for path, it in files.items()
        if it.stamps[0] is not None and not it.stray  # of these git has a say, too
    }


def _read_again(
    search: Search, paths: frozenset[Path], cancelled: Cancelled, progress: Progress
) -> Mapping[Path, _Read | None]:
    """None: it is gone, or a link out of the root."""
    tracked = Tracked(search.root) if search.root else None
    return {path: _read(search, path, {}, tracked) if search.holds(path) else None for path in paths}


def _read(search: Search, path: Path, kept: Mapping[str, Kept], tracked: Tracked | None) -> _Read:
    """As it was read before, if nothing that bears on it changed since. `kept`: by an earlier start."""
    for it in (path, *companions(path)):  # also what is known from an earlier start
        note(str(it), MAX_BYTES)
    known = search.known.get(path)
    stamps, depends = tuple(map(_stamp, (path, *companions(path)))), tuple(map(_stamp, depfiles(path)))
    if known is not None and (known.stamps, known.depends) == (stamps, depends):
        return known
    before = kept.get(str(path))
    reading = before.reading if before and before.stamps == stamps else read_sidecar(path)
    if search.root is not None and not _is_below(search.root, path):
        reading = of_sources_in(search.root, reading)
    if stray := search.is_stray(path):
        reading = _of_stray(path, reading, tracked)
    reading = on_targets(reading, search.commands)
    told = reading.usages or reading.problems
    made = origin(path, reading, search.root, search.commands.outputs) if search.root and told else Origin()
    return _Read(stamps, depends, reading, made, stray)


def _of_stray(path: Path, reading: Reading, tracked: Tracked | None) -> Reading:
    """What is unpacked or checked out with the sources is as old as they are, and not told to be of them."""
    if tracked is not None and (reading.usages or reading.problems) and tracked.holds(path):
        return Reading(problems=(Problem(str(path), 0, 0, _KEPT_BY_GIT, "list it under `sidecars` to use it"),))
    usages = (replace(it, mtime=it.mtime - _MOMENT) for it in reading.usages)
    return replace(reading, usages=tuple(usages))


def _is_of_a_device(usage: Usage) -> bool:
    return usage.arch != UNKNOWN


def _is_below(folder: Path | None, path: Path) -> bool:
    return folder is not None and folder in path.parents


def _is_in(root: Path, path: Path) -> bool:
    real = Path(os.path.realpath(path))
    return real.is_file() and Path(os.path.realpath(root)) in real.parents


def _stamp(path: Path) -> tuple[int, ...] | None:
    """Another one for other content: where a file's time is set back to what it was, that of its node is not."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    node = status.st_ino % (1 << 64)  # on some disks of Windows a number has 128 bits
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, node


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except (OSError, ValueError):
        return 0.0
