"""What build results and sidecars below a folder say: found, read, kept in step with the disk. Does the file I/O."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from occupancy_lsp.joining import SIDECAR_SUFFIX, Joined, Place, join
from occupancy_lsp.origins import Origin, depfiles, origin
from occupancy_lsp.problem import Problem
from occupancy_lsp.resources.find import USUAL, Found, find_sidecars, is_built, matches_any, read_sidecar
from occupancy_lsp.resources.names import name_parts, same_kernel
from occupancy_lsp.resources.usage import Reading, Usage
from occupancy_lsp.settings import FILE_NAME
from occupancy_lsp.workspace.compile_commands import CompileCommands
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.walk import is_source


@dataclass(frozen=True, slots=True)
class _Read:
    stamps: tuple[object, ...]  # of the file and of its dependency files
    reading: Reading
    origin: Origin


class Results:
    """`root` None: files outside every folder, for which only what stands beside them is read."""

    def __init__(self, root: Path | None, index: Index | None) -> None:
        self._root = root
        self._index = index
        self._globs: tuple[str, ...] = USUAL
        self._named: tuple[str, ...] = ()  # those of the settings alone
        self._builds: tuple[str, ...] = ()
        self._commands = CompileCommands()
        self._files: dict[Path, _Read] = {}
        self._found = Found(())
        self._compiled: dict[tuple[Path, str | None], Reading] = {}  # by source and architecture
        self._beside: dict[Path, Reading] = {}  # by the source file
        self._by_name: dict[str, list[Usage]] = {}
        self._origins: dict[str, Origin] = {}
        self._joined: dict[tuple[str, Path | None], Joined] = {}
        self._outdated: dict[tuple[str, float, Path], bool] = {}

    # -- reading

    def scan(
        self,
        globs: Sequence[str],
        commands: CompileCommands,
        builds: Iterable[Path],
        cancelled: Callable[[], bool],
        progress: Callable[[int, int], None],
    ) -> None:
        """Look for results below the root and read those that changed. Slow; safe to run in a thread of its own."""
        if self._root is None:
            return
        self._globs, self._named, self._commands = (*USUAL, *globs), tuple(globs), commands
        self._builds = tuple(sorted({it for path in (*builds, *commands.folders) if (it := self._relative(path))}))
        self._found = find_sidecars(self._root, globs, self._builds)
        files: dict[Path, _Read] = {}
        for done, path in enumerate(self._found.paths, 1):
            if cancelled():
                return
            files[path] = self._read(path)
            progress(done, len(self._found.paths))
        self._take(files)

    def _relative(self, path: Path) -> str | None:
        """From the root, with slashes; None: outside it, or the root itself, which is no build folder."""
        if self._root is None or self._root not in path.parents:
            return None
        return path.relative_to(self._root).as_posix()

    def _read(self, path: Path) -> _Read:
        """As it was read before, if neither it nor its dependency file changed since."""
        now, known = tuple(map(_stamp, (path, *depfiles(path)))), self._files.get(path)
        if known is not None and known.stamps == now:
            return known
        reading = read_sidecar(path)
        made = origin(path, self._root, self._commands.outputs) if self._root and reading.usages else Origin()
        return _Read(now, reading, made)

    def _take(self, files: dict[Path, _Read]) -> None:
        every = [(usage, read.origin) for read in files.values() for usage in read.reading.usages]
        for (source, arch), reading in list(self._compiled.items()):
            every += ((usage, Origin(source)) for usage in reading.usages if usage.arch == arch)
        by_name: dict[str, list[Usage]] = {}
        for usage, _ in every:
            by_name.setdefault(name_parts(usage.kernel)[-1], []).append(usage)
        self._files, self._by_name = files, by_name
        self._origins = {usage.path: made for usage, made in every}
        self._beside = {}
        self.forget()

    def add(self, source: Path, reading: Reading) -> None:
        """What a compiler that was asked says of a source, in place of what it said for the same architecture."""
        for arch in {usage.arch for usage in reading.usages}:
            self._compiled[source, arch] = reading
        self._take(self._files)

    def changed(self, paths: Sequence[Path]) -> bool:
        """Read these again if they are results. True: what is said may differ."""
        told = {path for path in paths if self.is_result(path)}
        depends = {path for path in paths if path.suffix == ".d"}
        told |= {path for path in self._files if depends and not depends.isdisjoint(depfiles(path))}
        if not told:
            return False
        if self._root is None:
            self._beside = {}
            self.forget()
            return True
        files = {path: it for path, it in self._files.items() if path not in told}
        files.update((path, self._read(path)) for path in told if self._is_here(path))
        self._take(dict(sorted(files.items())))
        return True

    def _is_here(self, path: Path) -> bool:
        real = Path(os.path.realpath(path))
        return real.is_file() and (self._root is None or Path(os.path.realpath(self._root)) in real.parents)

    def is_result(self, path: Path) -> bool:
        if path in self._files:
            return True
        relative = self._relative(path) if self._root is not None else path.name
        if relative is None or path.name == FILE_NAME:
            return False
        return matches_any(self._globs, relative) or is_built(path, relative, self._builds)

    def forget(self) -> None:
        """Other files may have changed."""
        self._joined, self._outdated = {}, {}

    # -- asking

    def watch_globs(self) -> tuple[str, ...]:
        return (*self._globs, *(f"{it}/**" for it in self._builds))

    def joined(self, kernel: str, source: Path | None) -> Joined:
        """All that is said of the kernel with this qualified name in this file, for whatever architecture."""
        # Held here: a thread that reads files puts another in its place, and what was found before is not for that one.
        known, key = self._joined, (kernel, source)
        if key not in known:
            usages = self._bearing(kernel, source)
            place = self._place(kernel, source) if usages and source is not None else None
            known[key] = join(usages, place, self._origins) if usages else Joined()
        return known[key]

    def _bearing(self, kernel: str, source: Path | None) -> list[Usage]:
        named = self._by_name.get(kernel.rsplit("::", 1)[-1], ())
        return [it for it in (*named, *self._usages_beside(source)) if same_kernel(it.kernel, kernel)]

    def _usages_beside(self, source: Path | None) -> tuple[Usage, ...]:
        """Of the sidecar beside a source file, if no scan has found it."""
        if source is None:
            return ()
        known = self._beside
        if source not in known:
            path = source.with_name(source.name + SIDECAR_SUFFIX)
            known[source] = Reading() if path in self._files else read_sidecar(path)
        return known[source].usages

    def _place(self, kernel: str, source: Path) -> Place:
        index = self._index
        if index is None:
            return Place(source, (), (source,))
        units = (source, *index.roots_including(source))
        others = (it for it in index.defining(kernel.rsplit("::", 1)[-1]) if it != source)
        rivals = (it for it in others if set(units).isdisjoint((it, *index.roots_including(it))))
        return Place(source, tuple(rivals), units)

    def is_outdated(self, usage: Usage, source: Path) -> bool:
        """Whether a file that went into it, other than the kernel's own, was changed after it."""
        known, key = self._outdated, (usage.path, usage.mtime, source)
        if key not in known:
            depends = self._origins.get(usage.path, Origin()).depends
            if depends is None:
                depends = self._index.included(source) if self._index is not None else ()
            known[key] = any(_mtime(it) > usage.mtime for it in depends if it != source)
        return known[key]

    def problems(self) -> Iterator[Problem]:
        """Faults that a person can mend; what of a build folder could not be read is in `readings` alone."""
        yield from self._found.problems
        for path, read in self._files.items():
            relative = self._relative(path)
            if relative is None or matches_any(self._globs, relative):
                yield from read.reading.problems
        yield from (problem for reading in self._beside.values() for problem in reading.problems)

    def problems_near(self, sources: Collection[Path]) -> Iterator[Problem]:
        """Those of files that the settings name, and of what stands beside these sources or in a folder above them."""
        folders = {folder for source in sources for folder in source.parents}
        for problem in self.problems():
            path = Path(problem.path)
            if self._is_named(path) or (path != self._root and _is_near(path, sources, folders)):
                yield problem

    def _is_named(self, path: Path) -> bool:
        """Of the root a problem is that not all of it was searched."""
        relative = self._relative(path)
        return matches_any(self._named, relative) if relative else bool(self._named)

    def readings(self) -> Mapping[Path, Reading]:
        return {path: it.reading for path, it in self._files.items()}

    @property
    def large(self) -> tuple[Path, ...]:
        """Files in build folders that are too large to be read."""
        return self._found.large

    @property
    def builds(self) -> tuple[str, ...]:
        """The build folders looked at, from the root and with slashes."""
        return self._builds


def _is_near(path: Path, sources: Collection[Path], folders: Collection[Path]) -> bool:
    """A sidecar that bears the name of a source is that source's alone."""
    of = path.name.removesuffix(SIDECAR_SUFFIX)
    return path.parent / of in sources if of != path.name and is_source(of) else path.parent in folders


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except (OSError, ValueError):
        return 0.0
