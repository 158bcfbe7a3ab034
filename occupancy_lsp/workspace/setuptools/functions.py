"""What functions of Python's library say of known values; they are computed here, nothing of the script is called."""

from __future__ import annotations

import glob
import itertools
import math
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from occupancy_lsp.workspace.doubts import MOST_ITEMS, NONE, Doubts, History, Item, Items, Table, Unknown, items_of
from occupancy_lsp.workspace.setuptools.operators import extend, item_of

NO_METHOD = object()
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
    if short == "isabs" and given and isinstance(given[0], str):
        return os.path.isabs(given[0])
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
    "relpath": lambda folder, words: os.path.relpath(os.path.join(folder, words[0]), os.path.join(folder, *words[1:2])),
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


def product(given: Sequence[object]) -> object:
    """Of lists that are wholly known."""
    lists = [items_of(it, NONE) for it in given]
    if math.prod(map(len, lists)) > MOST_ITEMS or any(it.doubts for items in lists for it in items):
        return Unknown("product")
    return Items([Item(tuple(it.value for it in items)) for items in itertools.product(*lists)])


def method(of: object, name: str, given: list[object], doubts: Doubts) -> object:
    """NO_METHOD: it is none of a list, a dictionary or a text."""
    match name:
        case "append" if isinstance(of, Items) and given:
            extend(of, (given[0],), doubts)
        case "extend" if isinstance(of, Items) and given:
            extend(of, given[0], doubts)
        case "insert" if isinstance(of, Items) and len(given) == 2:
            of.items.insert(0 if given[0] == 0 else len(of.items), Item(given[1], doubts))
        case "copy" if isinstance(of, Items):
            return Items([*of.items])
        case "get" if isinstance(of, Table) and given and isinstance(given[0], str):
            return item_of(of, given[0], doubts) if given[0] in of.keys else given[1] if len(given) > 1 else None
        case "update" if isinstance(of, Table) and given and isinstance(given[0], Table):
            for key, history in given[0].keys.items():
                of.keys.setdefault(key, History()).said.extend(history.said)
        case "format" if isinstance(of, str) and of.count("{}") == len(given):
            known = all(isinstance(it, str | int) for it in given)
            return of.format(*given) if known and of.count("{") == len(given) else Unknown(of)
        case "join" if isinstance(of, str) and given:
            words = [it.value for it in items_of(given[0], NONE)]
            return of.join(map(str, words)) if all(isinstance(it, str) for it in words) else Unknown(of)
        case "resolve" | "absolute" | "as_posix" if isinstance(of, str):
            return of
        case _:
            return of_text(of, name, given) if isinstance(of, str) else NO_METHOD
    return None
