"""Headers that packages bring along. Of a Python environment: PyTorch's, CUDA's libraries', pybind11's, Python's own.
Of the system: Eigen's and OpenCV's, which are in no folder that a compiler searches.

An environment inside the workspace is a workspace's content: nothing of it is run, and no link leads out of it.
"""

from __future__ import annotations

import os
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from occupancy_lsp.compile.toolchains import Machine, is_inside
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.regex import regex

_SITES = ("lib/python3*/site-packages", "lib64/python3*/site-packages", "Lib/site-packages")
# Folders of headers in `site-packages`; those of one line belong together.
_PLACES = (
    ("torch/include", "torch/include/torch/csrc/api/include"),
    ("nvidia/*/include",),
    ("nvidia/*/include/cccl",),
    ("nvidia/mathdx/external/cutlass/include",),
    ("cutensor/include",),
    ("pybind11/include",),
    ("rapids_logger/include",),
    ("lib*/include",),
    ("cutlass_library/source/include",),
    ("triton/backends/*/include",),
    ("numpy/_core/include",),
    ("numpy/core/include",),
    ("tvm_ffi/include",),
    ("tilelang/src",),
    ("tilelang/3rdparty/cutlass/include",),
)
# Where packages of systems have headers that builds add a folder for, by how an #include of them begins.
_OF_SYSTEM = {"Eigen/": "eigen3", "unsupported/Eigen/": "eigen3", "opencv2/": "opencv4"}
_SYSTEM = ("/usr/include", "/usr/local/include", "/opt/homebrew/include")
_MOST = 50  # folders that a pattern may find
_MOST_STATED = 1 << 16  # bytes
_NAME = regex(r"[\w+-][\w.+-]*(?:/[\w+-][\w.+-]*)*")
_HOME = regex(r"^home\s*=\s*(.+?)\s*$", re.MULTILINE)


def folders_of(header: str, machine: Machine, root: Path) -> tuple[Path, ...]:
    """Where the first environment that has the header has it, else a package of the system; () if none has. `header`:
    as an #include names it."""
    if not _NAME.fullmatch(header):
        return ()
    for environment, sites in _environments(machine, root):
        for group in (*_groups(sites), *_of_python(environment, root)):
            if any((it / header).is_file() for it in group) and not any(_leads_out(it, root) for it in group):
                return tuple(group)
    names = (name for start, name in _OF_SYSTEM.items() if header.startswith(start))
    places = (Path(place, name) for name in names for place in _SYSTEM)
    return next(((it,) for it in places if (it / header).is_file()), ())


def environment_of(python: str, root: Path) -> Path:
    """The folder of the environment that an interpreter belongs to, or that is named itself. Relative: to the root."""
    path = root / os.path.expanduser(python)
    if path.is_dir():
        return path
    return path.parent.parent if path.parent.name in ("bin", "Scripts") else path.parent


def _leads_out(folder: Path, root: Path) -> bool:
    """Whether it is a link of the workspace to somewhere else."""
    return is_inside(str(folder), root) and not is_inside(os.path.realpath(folder), root)


def _environments(machine: Machine, root: Path) -> Iterator[tuple[Path | None, list[Path]]]:
    """The chosen, the workspace's, those that are active, that of this program (None); with their `site-packages`."""
    named = [Path(machine.environment.get(it, "")) for it in ("VIRTUAL_ENV", "CONDA_PREFIX")]
    chosen = [machine.python] if machine.python is not None else []
    for folder in (*chosen, root / ".venv", root / "venv", *(it for it in named if it.is_absolute())):
        if folder.is_dir():
            yield folder, [it for pattern in _SITES for it in sorted(folder.glob(pattern))[:_MOST]]
    yield None, list(machine.site)


def _groups(sites: list[Path]) -> Iterator[list[Path]]:
    for site in sites:
        for first, *rest in _PLACES:
            for folder in sorted(site.glob(first))[:_MOST]:
                yield [folder, *(site / it for it in rest)]


def _of_python(environment: Path | None, root: Path) -> Iterator[list[Path]]:
    """Python.h: of the Python that the environment was made with."""
    if environment is None:
        yield [Path(sysconfig.get_path("include"))]
        return
    for prefix in (environment, *_made_with(environment / "pyvenv.cfg", root)):
        # A workspace may name any folder there: only a Python's has this one.
        for folder in sorted(prefix.glob("include/python3*"))[:_MOST]:
            if (folder / "Python.h").is_file():
                yield [folder]


def _made_with(stated: Path, root: Path) -> list[Path]:
    content = read_file(stated, _MOST_STATED) if not _leads_out(stated, root) else None
    home = _HOME.search(content.data.decode("utf-8", "replace")) if isinstance(content, Content) else None
    return [Path(home[1]).parent] if home and os.path.isabs(home[1]) else []
