"""Which scripts of a workspace may say how a source is compiled, `setup.py` aside: those that name it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from occupancy_lsp.workspace.make.reading import text_of

NAME = "setup.py"
_MOST_SCRIPTS = 1_000  # that are looked into
_DEEPEST = 3  # folders below that of setup.py
_SKIPPED = frozenset(("node_modules", "site-packages", "build", "dist", "__pycache__"))
_LOADING = "cpp_extension"


def scripts_naming(source: Path, folder: Path, root: Path) -> Iterator[tuple[Path, Path]]:
    """Each with the folder in which it is run: PyTorch's `load` is called where the script is, and what is built with
    `setup.py` where that is."""
    is_built = (folder / NAME).is_file()
    walked = _below(folder, _DEEPEST) if is_built or folder == root else _below(folder, 0)
    for path in islice(walked, _MOST_SCRIPTS):
        text = text_of(path, root) or ""
        if source.name in text or (_LOADING in text and "glob" in text):
            if _LOADING in text and "load" in text:
                yield path, path.parent
            if is_built and "class " in text:
                yield path, folder


def _below(folder: Path, deepest: int) -> Iterator[Path]:
    """The scripts, those of a folder before those below it; links are not followed."""
    try:
        with os.scandir(folder) as entries:
            every = sorted(entries, key=lambda it: it.name)
    except OSError:
        return
    yield from (Path(it.path) for it in every if it.name.endswith(".py") and it.name != NAME)
    for it in every if deepest else ():
        if it.is_dir(follow_symlinks=False) and it.name not in _SKIPPED and not it.name.startswith("."):
            yield from _below(Path(it.path), deepest - 1)
