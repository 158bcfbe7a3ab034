"""What functions of Python's library say of known values; they are computed here, nothing of the script is called."""

from __future__ import annotations

import glob
import os
import platform
import sys
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path

from occupancy_lsp.workspace.setuptools.values import Item, Items, Unknown

_MOST_FOUND = 5_000
# Names that mean the same wherever they come from. A CUDA source is built where PyTorch has CUDA.
NAMES: Mapping[str, object] = {
    "sys.platform": sys.platform,
    "os.name": os.name,
    "os.sep": os.sep,
    "torch.version.hip": None,
    "torch_version.hip": None,
    "torch.version.cuda": Unknown("torch.version.cuda", there=True),
    "CUDA_HOME": Unknown("CUDA_HOME", there=True),
    "ROCM_HOME": None,
    "IS_HIP_EXTENSION": False,
    "IS_WINDOWS": sys.platform == "win32",
}
ANSWERS: Mapping[str, object] = {
    "platform.system": platform.system(),
    "torch.cuda.is_available": True,
    "importlib.util.find_spec": Unknown("find_spec", there=True),
}


def pure(name: str, given: list[object], folder: Path, root: Path) -> object:
    """What a call of the function gives. Unknown: it is none of these, or is given something unknown."""
    short = name.removeprefix("os.path.").removeprefix("osp.").removeprefix("path.").removeprefix("pathlib.")
    if short in ("glob.glob", "glob", "glob.iglob") and given and isinstance(given[0], str):
        return _found(given[0], folder, root)
    function = _PATHS.get(short)
    if function is not None and given and all(isinstance(it, str) for it in given):
        return function(folder, [str(it) for it in given])
    if short in ("exists", "isdir", "isfile") and isinstance(given[0] if given else None, str):
        path = os.path.join(folder, str(given[0]))
        return os.path.exists(path) if is_inside(path, root) else Unknown(name)
    return Unknown(name)


_PATHS: Mapping[str, Callable[[Path, list[str]], str]] = {
    "join": lambda folder, words: os.path.join(*words),
    "dirname": lambda folder, words: os.path.dirname(words[0]),
    "basename": lambda folder, words: os.path.basename(words[0]),
    "abspath": lambda folder, words: os.path.normpath(os.path.join(folder, words[0])),
    "realpath": lambda folder, words: os.path.normpath(os.path.join(folder, words[0])),
    "normpath": lambda folder, words: os.path.normpath(words[0]),
    "Path": lambda folder, words: os.path.join(*words),
    "str": lambda folder, words: words[0],
}


def _found(pattern: str, folder: Path, root: Path) -> object:
    """Files of the workspace."""
    whole = os.path.join(folder, pattern)
    fixed = os.path.dirname(whole.split("*")[0].split("?")[0].split("[")[0])
    if not is_inside(fixed, root) or ".." in pattern or len(pattern) > 500 or pattern.count("**") > 1:
        return Unknown("glob")
    found = sorted(islice(glob.iglob(whole, recursive=True), _MOST_FOUND))
    if not os.path.isabs(pattern):
        found = [os.path.relpath(it, folder) for it in found]
    return Items([Item(it) for it in found])


def is_inside(path: str, root: Path) -> bool:
    real, top = os.path.realpath(path), os.path.realpath(root)
    return os.path.commonpath([real, top]) == top


def of_text(text: str, name: str, given: list[object]) -> object:
    """A method of a text."""
    words = [str(it) for it in given]
    if name not in _METHODS or not all(isinstance(it, str) for it in given):
        return Unknown(name)
    try:
        said = getattr(text, name)(*words)
    except (TypeError, ValueError):
        return Unknown(name)
    return Items([Item(it) for it in said]) if isinstance(said, list) else said


_METHODS = ("split", "replace", "strip", "lower", "upper", "startswith", "endswith", "rstrip", "lstrip", "isdigit")
