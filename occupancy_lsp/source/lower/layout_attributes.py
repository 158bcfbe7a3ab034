"""Attributes that have a say in how a type is laid out, as written and by what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import split_template_arguments
from occupancy_lsp.source.syntax.blanking import MaskedCode

_STANDARD = regex(rb"\[\[.*?\]\]", re.DOTALL)
_APPLIED = regex(r"(\w+)\s*(?:\((.*)\))?\Z", re.DOTALL)
_ALIGNING = frozenset(("alignas", "_Alignas", "__align__"))
_LISTS = frozenset(("__attribute__", "__attribute"))
_NAMESPACE = regex(r"(?:(?:__)?gnu(?:__)?|clang|_Clang)\s*::\s*")


@dataclass(frozen=True, slots=True)
class VectorRequest:
    """How many elements a vector has, or bytes, as written."""

    count: str
    in_bytes: bool


@dataclass(frozen=True, slots=True)
class AttributeEffect:
    """What one attribute asks for: an alignment, by a number or type as written, "" where none is; to be packed; that
    others may overlap it; to be a vector; a size that is not worked out."""

    alignment: str | None = None
    packed: bool = False
    overlaps: bool = False
    vector: VectorRequest | None = None
    unknown_size: str = ""


def attribute_texts(masked: MaskedCode, start: int, end: int) -> tuple[str, ...]:
    """Those between two offsets, and macros that may stand for some; what only says where code runs is none."""
    found = [
        masked.plain[mark.start : mark.end]
        for mark in masked.marks_between(start, end)
        if mark.arguments is not None or masked.plain[mark.start : mark.end] != mark.name.encode()
    ]
    if masked.code.find(b"[[", start, end) >= 0:
        found += [match[0] for match in _STANDARD.finditer(masked.code, start, end)]
    return tuple(it.decode("utf-8", "replace") for it in found)


@remembered(1024)
def effects_of_attribute(text: str) -> tuple[AttributeEffect, ...]:
    """What an attribute as written asks for, in its order."""
    return tuple(_parse_effects(" ".join(text.split())))


def _parse_effects(text: str) -> Iterator[AttributeEffect]:
    if text.startswith("[["):
        for each in split_template_arguments(text[2:-2]):
            plain = _NAMESPACE.sub("", each.strip().removeprefix("using gnu:").strip())
            for effect in _parse_single_effect(plain):
                # Some compilers ignore vectors here.
                yield effect if effect.vector is None else AttributeEffect(unknown_size=plain)
        return
    match = _APPLIED.match(text)
    if match is None:
        return
    name, given = match.groups()
    if name in _ALIGNING:
        yield AttributeEffect(alignment=given or "")
    elif name in _LISTS:
        inside = (given or "").strip()
        for each in split_template_arguments(inside[1:-1] if inside.startswith("(") else inside):
            yield from _parse_single_effect(each.strip())


def _parse_single_effect(text: str) -> Iterator[AttributeEffect]:
    """One attribute of a list: `aligned(16)`, `__packed__`."""
    match = _APPLIED.match(text)
    if match is None:
        return
    name, given = match.groups()
    plain = name.strip("_")
    if plain == "aligned":
        yield AttributeEffect(alignment=given or "")
    elif plain == "packed":
        yield AttributeEffect(packed=True)
    elif plain == "no_unique_address":
        yield AttributeEffect(overlaps=True)
    elif plain in ("vector_size", "ext_vector_type"):
        yield AttributeEffect(vector=VectorRequest(given or "", in_bytes=plain == "vector_size"))
    elif plain == "mode":
        yield AttributeEffect(unknown_size=text)
