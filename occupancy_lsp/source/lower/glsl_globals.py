"""What GLSL says of work-groups, specialization constants and buffers, as definitions of names that no text has.

`layout(local_size_x = 64) in;` defines `local_size_x`, several of them may add up. `layout(constant_id = 3) const uint
N = 64;` defines `constant_id 3`, the default that a pipeline may replace, and leaves `N` open. A block such as `buffer
O { float b[]; };` defines `buffer b`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import template_aware_argument_spans
from occupancy_lsp.source.lower.item_facts import Definition
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import AnnotationMark, MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Expression, SpecializationConstant, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse

LAYOUT = "layout"
_IN = regex(rb"\s*in\s*;")
_BUFFER = regex(rb"\bbuffer\b(?:\s+\w+)?\s*\{(?P<members>[^{}]*)\}")
_MEMBER = regex(rb"(?P<name>[A-Za-z_]\w*)\s*(?:\[[^];]*\]\s*)*[;,]")
_SIZE = regex(rb"\blocal_size_[xyz](?:_id)?\b")
_SAID = regex(rb"\s*(?P<name>local_size_[xyz](?:_id)?|constant_id)\s*=\s*")


def specialization_constant_name(constant: str) -> str:
    """What the default of the specialization constant with this id goes by."""
    return f"constant_id {constant}"


def specialization_constant(name: str, id_: str) -> SpecializationConstant:
    return SpecializationConstant(f"{name} is specialization constant {id_}", id=id_)


def definitions_in_glsl(masked: MaskedCode, regions: ConditionRegions) -> Iterator[Definition]:
    yield from _work_group_definitions(masked, regions)
    yield from _buffer_definitions(masked, regions)


def buffer_member_name(member: str) -> str:
    """What a member of a block of memory outside of the work-group goes by, which is named without its block."""
    return f"buffer {member}"


def buffer_definition(named: re.Match[bytes], regions: ConditionRegions, start: int | None = None) -> Definition:
    """Of the member, or of the whole buffer, that is called by the group `name`. `start`: of what declares it."""
    place = named.start("name")
    said, conditions = UnreadableExpression("a buffer"), regions.at(place if start is None else start)
    return Definition(buffer_member_name(named["name"].decode()), "variable", said, place, None, (), conditions)


def _buffer_definitions(masked: MaskedCode, regions: ConditionRegions) -> Iterator[Definition]:
    for block in _BUFFER.finditer(masked.plain):
        for member in _MEMBER.finditer(masked.plain, *block.span("members")):
            yield buffer_definition(member, regions, block.start())


def _work_group_definitions(masked: MaskedCode, regions: ConditionRegions) -> Iterator[Definition]:
    """Of the size of a work-group, an axis each, and the ids of constants that stand for one."""
    read: set[int] = set()
    for mark in masked.marks:
        if mark.name == LAYOUT and _IN.match(masked.plain, mark.end):
            for said, end in _named_layout_values(masked, mark):
                read.add(said.start("name"))
                value = parse(masked.plain, said.end(), end)
                yield file_level_constant(said["name"].decode(), value, said.end(), regions)
    for it in _SIZE.finditer(masked.plain):
        if it.start() not in read:
            yield file_level_constant(
                it[0].decode(), UnreadableExpression("its layout, which could not be read"), it.start(), regions
            )


def file_level_constant(name: str, value: Expression, start: int, regions: ConditionRegions) -> Definition:
    return Definition(name, "constant", value, start, None, (), regions.at(start))


def with_separate_specialization_defaults(
    masked: MaskedCode, definitions: Iterable[Definition]
) -> Iterator[Definition]:
    """Where some are specialization constants, what they are by default instead of their values."""
    ids = [(it.end, id_) for it in masked.marks if it.name == LAYOUT and (id_ := _constant_id(masked, it))]
    for it in definitions:
        id_ = _specialization_id_of(masked.plain, ids, it) if it.scope is None else ""
        if id_:
            default = structs.replace(it, name=specialization_constant_name(id_), kind="constant")
            yield default
            it = structs.replace(it, value=specialization_constant(it.name, id_))
        yield it


def _specialization_id_of(plain: bytes, ids: Sequence[tuple[int, str]], definition: Definition) -> str:
    """The id of the constant that is declared behind one of the layouts; "": it is none."""
    before = [it for it in ids if it[0] <= definition.start]
    return before[-1][1] if before and b";" not in plain[before[-1][0] : definition.start] else ""


def _constant_id(masked: MaskedCode, mark: AnnotationMark) -> str:
    each = (
        masked.plain[it.end() : end] for it, end in _named_layout_values(masked, mark) if it["name"] == b"constant_id"
    )
    return next((it.decode().strip() for it in each), "")


def _named_layout_values(masked: MaskedCode, mark: AnnotationMark) -> Iterator[tuple[re.Match[bytes], int]]:
    """Each name, behind which its value starts, and where that ends."""
    for start, end in template_aware_argument_spans(masked.plain, *mark.arguments) if mark.arguments else ():
        said = _SAID.match(masked.plain, start, end)
        if said is not None:
            yield said, end
