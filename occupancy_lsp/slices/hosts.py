"""A part without what only a host can run: bodies of functions that no device can call."""

from __future__ import annotations

import re
from dataclasses import replace

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.slices.parts import Part, part_of
from occupancy_lsp.source.incremental.item_reader import read_item
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.item_list import Item
from occupancy_lsp.source.lower.execution_space import is_plain_declaration_start
from occupancy_lsp.source.lower.item_facts import Function, ItemFacts

_QUALIFIER = regex(rb"(?<!\w)([A-Za-z_]\w*)\s*(?:<[^<>(){};]*>\s*)?::\s*\Z")
# One of a class to another type, defined outside of it: declared for hosts alone if all of its operators are.
_CONVERSION = regex(rb"(?<!\w)([A-Za-z_]\w*)\s*(?:<[^<>(){};]*>\s*)?::\s*operator\b\s*(?=[A-Za-z_])[^(){};]*\(")
_ANY_OPERATOR = "operator"
_COMMENT = regex(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DECLARATION = regex(rb"[;{}]|\b(?:public|private|protected)\s*:")
_CALLED = regex(rb"([A-Za-z_]\w*)\s*(?:[(<]|::)")


@remembered(4096)
def for_devices(part: Part, dialect: Dialect) -> tuple[Part, bool]:
    """Without the bodies that only hosts run; whether it is a function, or declares one, that only a host can call."""
    if b"{" not in part.text and b"(" not in part.text:
        return part, False
    facts = read_item(Item(0, "code", part.text), dialect)
    outer = [it for it in facts.functions if not any(_holds(other, it) for other in facts.functions)]
    bodies = [it for it in outer if it.specifiers.host_only and not it.kernel and it.returns]  # constructors stay
    bodies = [it for it in bodies if not _CONVERSION.search(part.text[: it.head.end], it.head.start)]
    only = bool(bodies) and len(bodies) == len(outer)
    of_host = (only and not facts.types) or (
        not facts.functions and bool(facts.prototypes) and all(it.host_only for it in facts.prototypes)
    )
    text = part.text
    for it in sorted(bodies, key=lambda it: it.body.start, reverse=True):
        text = text[: it.head.end] + b";" + _lines(text[it.head.end : it.body.end])[1:] + text[it.body.end :]
    trimmed = part_of("code", text, part.line, dialect) if bodies else part
    return replace(trimmed, declares=part.declares, names=trimmed.names - _own(facts, text)), of_host


@remembered(4096)
def defined_member(part: Part, dialect: Dialect) -> tuple[bytes, str, bool] | None:
    """The class and the name of the one member function that is defined here, in words that do not let a device call
    it, and whether it has a type; those of the class may let it. None: it is something else."""
    functions = read_item(Item(0, "code", part.text), dialect).functions if part.member else ()
    it = functions[0] if len(functions) == 1 else None
    if it is None or it.kernel:
        return None
    if not (it.returns or it.parameters or it.name.startswith("~")):  # an empty constructor may make a variable legal
        return None
    head = part.text[it.head.start : it.head.end]
    if conversion := _CONVERSION.search(head):
        plain = is_plain_declaration_start(head[: conversion.start()], False) and b"device" not in head
        return (conversion[1], _ANY_OPERATOR, False) if plain else None
    before, name, _ = head.partition(it.name.encode() + b"(")
    match = _QUALIFIER.search(before)
    if match is None or not name or any(it in head for it in (b"device", b"global")):
        return None
    typed = bool(it.returns)
    return (match[1], it.name, typed) if is_plain_declaration_start(before[: match.start()], typed) else None


def only_hosts_call(text: bytes, member: str, typed: bool) -> bool:
    """Whether a class names this function, and nothing before the name, wherever it stands, lets a device call it."""
    found = []
    for said in _DECLARATION.split(_COMMENT.sub(b" ", text)):
        named = rb"%s[^(]*" % member.encode() if member == _ANY_OPERATOR else re.escape(member.encode())
        for match in re.finditer(rb"(?<![\w~])%s\s*\(" % named, said):
            found.append(is_plain_declaration_start(said[: match.start()], typed))
    return bool(found) and all(found)


def _own(facts: ItemFacts, text: bytes) -> frozenset[bytes]:
    """The names of variables and parameters, where none of them stands like that of a function or a type."""
    given = (it.name for function in facts.functions for it in function.parameters)
    own = frozenset(it.encode() for it in (*given, *facts.locals))
    return own - frozenset(_CALLED.findall(text))


def _holds(outer: Function, inner: Function) -> bool:
    return outer is not inner and outer.body.start <= inner.head.start < outer.body.end


def _lines(text: bytes) -> bytes:
    """As long in lines, with nothing in them."""
    return b" " + b"\n" * text.count(b"\n")
