"""What could not be read of build results, and which of it bears on a source."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from occupancy_lsp.builds.attribution import SIDECAR_SUFFIX
from occupancy_lsp.builds.find import from_root, matches_any
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.workspace.walk import is_source


class Faults:
    """Problems with what stands below `root`, in their order. `named`: the globs of the settings."""

    def __init__(self, root: Path | None, named: tuple[str, ...], every: Iterable[Problem]) -> None:
        self.every = tuple(every)
        self._named: list[int] = []
        self._by_folder: dict[Path, list[int]] = {}
        for index, path in enumerate(Path(it.path) for it in self.every):
            relative = from_root(root, path)
            if matches_any(named, relative) if relative else named:  # of the root: not all of it was searched
                self._named.append(index)
            elif path != root:
                self._by_folder.setdefault(path.parent, []).append(index)

    def near(self, sources: Collection[Path]) -> Iterator[Problem]:
        """Those of files that the settings name, and of what stands beside these sources or in a folder above them."""
        above = {folder for source in sources for folder in source.parents}
        found = (index for folder in above for index in self._by_folder.get(folder, ()))
        here = (index for index in found if _may_be_of(Path(self.every[index].path), sources))
        return (self.every[index] for index in sorted((*self._named, *here)))


def _may_be_of(path: Path, sources: Collection[Path]) -> bool:
    """A sidecar that bears the name of a source is that source's alone."""
    of = path.name.removesuffix(SIDECAR_SUFFIX)
    return of == path.name or not is_source(of) or path.parent / of in sources
