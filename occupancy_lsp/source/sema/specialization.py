"""Which of several definitions of a class is meant: the plain one, a template's, or a specialisation."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import shared
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.item_facts import Definition, TypeDefinition
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.builtin_layout import builtin_layout
from occupancy_lsp.source.sema.scope_levels import Key, types_at
from occupancy_lsp.source.sema.types import Bindings, Bound, Class, Type, active_members, resolve_type
from occupancy_lsp.source.syntax.expression_nodes import Number

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

_Type = tuple[LocatedItem, TypeDefinition]
_Sorted = tuple[list[_Type], list[_Type], list[_Type]]
_WORD = regex(r"[A-Za-z_]\w*")
_CONST = regex(r"\bconst\s+|\s+const\b")


def choose_class_definition(
    found: Sequence[_Type],
    label: str,
    given: tuple[str, ...] | None,
    around: ItemScope,
    here: ItemScope,
    depth: int,
    many: Key | None = None,
) -> Class | str | None:
    """The class named `label` with the arguments `given` (None: none are written); None: there is none.

    `around`: the scope that holds the definitions, whose bindings they share. `here`: where the arguments are written.
    `many`: the level that has just these.
    """
    if not found:
        return None
    env, unknown = here.env, f"the size of {label}"
    if (
        _is_plain_definition(found[-1][1])
        and _is_plain_definition(found[0][1])
        and not _are_same_definitions(env, found[0], found[-1])
    ):
        return unknown
    plain, primary, special = _sort_by_kind(found) if many is None else _sorted_definitions_of_level(env, many)
    if plain:
        count = len(found)
        if any(t.tag for _, t in plain):  # `typedef struct T { … } T;` says nothing else by its second name
            plain = [(s, t) for s, t in plain if not t.repeats_tag]
            count = sum(not t.repeats_tag for _, t in found)
        placed, kind = _with_active_members(env, *plain[-1])
        shares = placed.item == around.item and (bool(kind.owner) or kind.scope is not None)
        same = count == len(plain) and all(_are_same_definitions(env, it, plain[-1]) for it in plain[:-1])
        return Class(placed, kind, around.bindings if shares else {}) if same else unknown
    if given is None:
        inside = [(s, t) for s, t in found if s.item == here.item and t.body.start <= here.offset < t.body.end]
        return Class(*_with_active_members(env, *inside[-1]), here.bindings) if inside else unknown
    if len(primary) != 1:
        return unknown
    return _choose_instance(_with_active_members(env, *primary[0]), special, given, here, depth, many) or unknown


def _is_plain_definition(kind: TypeDefinition) -> bool:
    """Whether it is neither a template nor a specialisation, and no second name of a tag's."""
    return not kind.template and kind.specialises is None and not kind.repeats_tag


def _sort_by_kind(found: Sequence[_Type]) -> _Sorted:
    """Plain ones, templates, and the rest: specialisations."""
    plain = [(s, t) for s, t in found if not t.template and t.specialises is None]
    primary = [(s, t) for s, t in found if t.template and t.specialises is None]
    return plain, primary, [(s, t) for s, t in found if t.specialises is not None]


def _sorted_definitions_of_level(env: Environment, many: Key) -> _Sorted:
    empty: _Sorted = ([], [], [])
    return env.remember(("sorted types", *many), lambda: _sort_by_kind(types_at(env, *many).found), empty)


def _with_active_members(env: Environment, placed: LocatedItem, kind: TypeDefinition) -> _Type:
    """With the members that hold, where an #if decides which; its layout is not known where that is not."""
    if kind.traits.constructors is not None or not any(it.conditions for it in kind.fields or ()):
        return placed, kind
    key = ("members", placed.item, placed.order, kind.body.start)
    return placed, env.remember(key, partial(_filter_active_members, env, placed, kind), kind)


def _filter_active_members(env: Environment, placed: LocatedItem, kind: TypeDefinition) -> TypeDefinition:
    return structs.replace(kind, fields=active_members(kind.fields or (), env, placed.order))


def _are_same_definitions(env: Environment, one: _Type, other: _Type) -> bool:
    return _have_same_content(_with_active_members(env, *one), _with_active_members(env, *other))


def _have_same_content(one: _Type, other: _Type) -> bool:
    inner = _nested_definitions(*one)
    if inner != _nested_definitions(*other):
        return False
    return one[1] == other[1] or (not any(inner) and _content_key(one[1]) == _content_key(other[1]) is not None)


def _nested_definitions(
    placed: LocatedItem, kind: TypeDefinition
) -> tuple[Sequence[Definition], Sequence[TypeDefinition]]:
    """What a class defines besides what its objects consist of: constants, enumerators, types."""
    members, body = {it.name for it in kind.fields or ()}, kind.body
    within = [it for it in placed.facts.definitions if body.start <= it.start < body.end]
    types = [it for it in placed.facts.types if it is not kind and body.start <= it.body.start < body.end]
    return [it for it in within if it.name not in members], types


def _content_key(kind: TypeDefinition) -> Hashable | None:
    """Equal for definitions that say the same, as those for several platforms may; None: that hangs on where it is."""
    if kind.alias is not None:
        return kind.alias
    fields = kind.fields
    if fields is None or kind.enum or kind.traits.bases or kind.traits.constructors != () or kind.attributes:
        return None
    sizes = [tuple(it.value if isinstance(it, Number) else None for it in field.extents) for field in fields]
    plain = all(not it.attributes and it.width is None and builtin_layout(it.type.text) for it in fields)
    if any(None in size for size in sizes) or not plain:
        return None
    each = ((it.name, it.type, it.initial, size) for it, size in zip(fields, sizes, strict=True))
    return kind.union, *each


def _choose_instance(
    primary: _Type, special: Sequence[_Type], given: tuple[str, ...], here: ItemScope, depth: int, many: Key | None
) -> Class | None:
    from occupancy_lsp.source.sema.templates import bind_template

    placed, kind = primary
    template = kind.template or ()
    bindings = bind_template(template, given, here, here.within(Class(placed, kind, {})), None, depth)
    if special and any("..." in text for text in template):
        return None  # which arguments a pack takes is not followed
    if many is not None:
        special = _candidate_specialisations(primary, special, bindings, here, many)
    others = tuple((it.item, each.body.start) for it, each in special)
    key = ("instance", placed.item, kind.body.start, placed.order, shared(frozenset(bindings.items())), others)
    start: Class | None = None
    return here.env.remember(key, lambda: _matching_definition(primary, special, bindings, here), start)


@dataclass(frozen=True, slots=True)
class _ByArgument:
    """Of the specialisations of a template, by number, those that say one argument's value or type, and those that say
    neither in a way that is known."""

    said: Mapping[Bound, Sequence[int]]
    open: Sequence[int]


def _candidate_specialisations(
    primary: _Type, special: Sequence[_Type], bindings: Bindings, here: ItemScope, many: Key
) -> Sequence[_Type]:
    """Without most of those that are for other arguments: by the argument that leaves the fewest."""
    fewest: Sequence[int] = range(len(special))
    for at, name in enumerate(_template_parameter_names(primary[1])):
        bound = bindings.get(name)
        if bound is not None:
            is_number = isinstance(bound, int)
            work = partial(_index_by_argument, many, at, is_number, here)
            every = _ByArgument({}, range(len(special)))
            known = here.env.remember(("by argument", *many, at, is_number), work, every)
            said = known.said.get(bound, ())
            if len(said) + len(known.open) < len(fewest):
                fewest = sorted(chain(said, known.open))
    return [special[it] for it in fewest]


def _index_by_argument(many: Key, at: int, is_number: bool, here: ItemScope) -> _ByArgument:
    said: dict[Bound, list[int]] = {}
    unknown: list[int] = []
    for index, (placed, kind) in enumerate(_sorted_definitions_of_level(here.env, many)[2]):
        pattern = kind.specialises[at] if kind.specialises is not None and at < len(kind.specialises) else None
        known: Bound | None = None
        if pattern is not None and not {*_template_parameter_names(kind)} & set(_WORD.findall(pattern)):
            known = _evaluate_pattern_argument(pattern, is_number, here.within(Class(placed, kind, {})))
        if known is None:
            unknown.append(index)
        else:
            said.setdefault(known, []).append(index)
    return _ByArgument(said, unknown)


def _evaluate_pattern_argument(pattern: str, is_number: bool, inside: ItemScope) -> Bound | None:
    """What a specialisation says of an argument, without parameters of its own; None: it is not known."""
    from occupancy_lsp.source.sema.constant_evaluation import evaluate
    from occupancy_lsp.source.syntax.expression_parser import parse_detached

    if is_number:
        return evaluate(parse_detached(pattern), inside).number
    kind = resolve_type(pattern, inside)
    return None if isinstance(kind, str) else kind


def _template_parameter_names(kind: TypeDefinition) -> list[str]:
    from occupancy_lsp.source.sema.templates import parse_template_parameter

    return [parse_template_parameter(text).name for text in kind.template or ()]


def _matching_definition(primary: _Type, special: Sequence[_Type], bindings: Bindings, here: ItemScope) -> Class | None:
    placed, kind = primary
    names = _template_parameter_names(kind)
    matching: list[Class] = []
    for where, other in (_with_active_members(here.env, *it) for it in special):
        match = _match_specialisation(
            other, [bindings.get(name) for name in names], here.within(Class(where, other, {}))
        )
        if match is None:
            return None
        if match is not False:
            matching.append(Class(where, other, match))  # type: ignore[arg-type]
    if len(matching) > 1:
        full = [it for it in matching if not it.definition.template]
        return full[0] if len(full) == 1 else None
    return matching[0] if matching else Class(placed, kind, bindings)


def _match_specialisation(
    special: TypeDefinition, actual: Sequence[Bound | None], inside: ItemScope
) -> Bindings | bool | None:
    """What the specialisation's own parameters stand for; False: it is for other arguments; None: cannot be told."""
    own = {*_template_parameter_names(special)}
    found: dict[str, Bound] = {}
    doubtful = False
    for pattern, bound in zip(special.specialises or (), actual, strict=False):
        if pattern in own:
            if bound is None:
                doubtful = True
            elif found.setdefault(pattern, bound) != bound:
                return False
        elif own & set(_WORD.findall(pattern)):
            if isinstance(bound, Type) and pattern.rstrip("* ") in own and pattern.count("*") == 1:
                if bound.pointee is None or bound.qualifiers:
                    return False
                found[pattern.rstrip("* ")] = bound.pointee
            elif isinstance(bound, Type) and (own_name := _CONST.sub("", pattern)) in own:
                if "const" not in bound.qualifiers:
                    return False
                found[own_name] = replace(bound, qualifiers=bound.qualifiers - {"const"})
            else:
                doubtful = True
        elif bound is None or (said := _evaluate_pattern_argument(pattern, isinstance(bound, int), inside)) is None:
            doubtful = True
        elif said != bound:
            return False
    return None if doubtful else found
