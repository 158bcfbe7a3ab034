"""Template arguments of a mangled symbol, written by the demangling library where it knows the symbol."""

from __future__ import annotations

from typing import Any

from occupancy_lsp.core.regex import regex

_CAST = regex(r"\((?:unsigned |signed )?(?:int|long|long long|short|char|bool)\)(n?)(\d+)")
# What sources show as a number: cub's header, which says what it is of, is not read (sema/cub_storage.py).
_ALGORITHM = regex(r"\(cub::(?:\w+::)?(?:Block|Warp)\w+Algorithm\)(?=\d)")
_SUFFIX = regex(r"\b(\d+)[uUlL]+\b")

# The library takes time in the square of the length, and copies what a reference stands for, which multiplies the work.
MAX_LENGTH = 1000
_REFERENCE = regex(r"S[0-9A-Z]*_|T\d*_")
MAX_REFERENCES = 20


def mangled_arguments(symbol: str) -> tuple[str, ...] | None:
    """`("double", "512")`; None if the function has none, or the library cannot tell."""
    if "I" not in symbol or len(symbol) > MAX_LENGTH or len(_REFERENCE.findall(symbol)) > MAX_REFERENCES:
        return None
    from itanium_demangler import parse  # costs at start-up, and only symbols of templates need it

    try:
        tree = parse(symbol)
        return _arguments(tree.name) if tree is not None and tree.kind == "func" else None
    except (RecursionError, NotImplementedError, ValueError, TypeError, AttributeError, IndexError, KeyError):
        return None  # the library raises nearly anything on what it does not know


def _arguments(name: Any) -> tuple[str, ...] | None:
    if name.kind != "qual_name" or name.value[-1].kind != "tpl_args":
        return None
    texts = [str(node) for node in _flat(name.value[-1].value)]
    return None if any("<Node" in text for text in texts) else tuple(map(_plain, texts))


def _flat(nodes: Any) -> list[Any]:
    """Without the packs around arguments."""
    return [inner for node in nodes for inner in (_flat(node.value) if node.kind == "tpl_arg_pack" else [node])]


def plain_arguments(text: str) -> str:
    """`256, float` as it is compared: without casts, suffixes of numbers and space, which tools write differently."""
    return _SUFFIX.sub(r"\1", _ALGORITHM.sub("", _plain(text))).replace(" ", "")


def _plain(text: str) -> str:
    """`512`, `-3` and `true` for `(int)512`, `(int)n3` and `(bool)1`."""
    text = text.replace("(bool)1", "true").replace("(bool)0", "false")
    return _CAST.sub(lambda match: ("-" if match[1] else "") + match[2], text)
