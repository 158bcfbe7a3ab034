"""Which source a build result was compiled from, and what else went into it. Reads dependency files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, read_file, stays_in
from occupancy_lsp.counts.formats import depfile
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.workspace.walk import UNITS


@dataclass(frozen=True, slots=True)
class Origin:
    """`depends`: every file below the root that went into it, absolute. None: not known."""

    source: Path | None = None
    depends: tuple[Path, ...] | None = None


def origin(path: Path, reading: Reading, root: Path, outputs: Mapping[Path, Path]) -> Origin:
    """`path`: absolute. `reading`: what it says. `outputs`: each object's source, as compile_commands.json says."""
    stated = outputs.get(path) or _named(reading, root)
    for beside in depfiles(path):
        content = read_file(beside, depfile.MAX_BYTES) if stays_in(beside, root) else None
        names = depfile.depends(content.data) if isinstance(content, Content) else ()
        if names:
            found = tuple(_below(root, path.parent, names))
            return Origin(stated or next((it for it in found if it.suffix in UNITS), None), found)
    return Origin(stated)


def _named(reading: Reading, root: Path) -> Path | None:
    """The file that all variants say that they are of, if it is there; below the root as the root is called."""
    named = {it.at[0] for it in reading.usages if it.variant is not None and it.at is not None}
    path = Path(named.pop()) if len(named) == 1 else None
    if path is None or not path.is_absolute() or not os.path.isfile(path):
        return None
    real, top = os.path.realpath(path), os.path.realpath(root)
    return root / os.path.relpath(real, top) if stays_in(real, top) else path


def depfiles(path: Path) -> tuple[Path, ...]:
    """Where compilers put the dependency file of an object: `k.o.d`, `k.d`."""
    return path.with_name(f"{path.name}.d"), path.with_suffix(".d")


def _below(root: Path, folder: Path, names: tuple[str, ...]) -> Iterator[Path]:
    """The files of the root among them. Relative ones start where the compiler was: in a folder around the object."""
    folders = [it for it in (folder, *folder.parents) if it == root or root in it.parents]
    for name in names:
        around = folders if not Path(name).is_absolute() else folders[:1]
        for base in around:
            path = Path(os.path.normpath(base / name))
            if root in path.parents and path.is_file():
                yield path
                break
