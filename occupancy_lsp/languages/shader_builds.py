"""How shaders are built that no build file tells of: what the settings say of files, by glob."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ShaderBuild:
    """How the shaders in files that match the glob `files` are built. `macros`: what their compiler is given.
    `constants`: what pipelines set specialization constants to, by id or, of an override, by name."""

    files: str
    macros: tuple[tuple[str, str], ...]
    constants: tuple[tuple[str, int], ...]


def matches(path: Path, root: Path | None, globs: Sequence[str]) -> bool:
    """Whether a file in the folder `root` matches one of the globs; None: of no folder, any file may."""
    inside = root is None or root in path.parents
    return inside and any(fnmatchcase(path.as_posix(), "*/" + glob.removeprefix("**/")) for glob in globs)


@dataclass(frozen=True, slots=True)
class ShaderBuilds:
    """Those of a folder. Of several that a file matches, later ones win."""

    root: Path | None = None
    each: tuple[ShaderBuild, ...] = ()

    def macros_of(self, path: Path) -> tuple[tuple[str, str], ...]:
        """What the compiler of the file is given."""
        return tuple({name: text for it in self._of(path) for name, text in it.macros}.items())

    def constants_of(self, path: Path) -> tuple[tuple[str, int], ...]:
        """What pipelines set its specialization constants to."""
        return tuple({name: value for it in self._of(path) for name, value in it.constants}.items())

    def _of(self, path: Path) -> Iterator[ShaderBuild]:
        return (it for it in self.each if matches(path, self.root, (it.files,)))
