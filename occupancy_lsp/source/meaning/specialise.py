"""Which of several definitions of a class is meant: the plain one, a template's, or a specialisation."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from occupancy_lsp.core.query import shared
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.facts.facts import Definition, TypeDefinition
from occupancy_lsp.source.facts.names import PlacedItem
from occupancy_lsp.source.meaning.layout import builtin
from occupancy_lsp.source.meaning.types import Bindings, Bound, Class, Type, in_force, resolve_type
from occupancy_lsp.source.text.expressions import Number

if TYPE_CHECKING:
    from occupancy_lsp.source.meaning.environment import Environment
    from occupancy_lsp.source.meaning.scope import ItemScope

_WORD = regex(r"[A-Za-z_]\w*")
_CONST = regex(r"\bconst\s+|\s+const\b")


def choose(
    found: Sequence[tuple[PlacedItem, TypeDefinition]],
    label: str,
    given: tuple[str, ...] | None,
    around: ItemScope,
    here: ItemScope,
    depth: int,
) -> Class | str | None:
    """The class named `label` with the arguments `given` (None: none are written); None: there is none.

    `around`: the scope that holds the definitions, whose bindings they share. `here`: where the arguments are written.
    """
    if not found:
        return None
    unknown = f"the size of {label}"
    found = [(s, t if t.constructors is not None else _as_compiled(here.env, s, t)) for s, t in found]
    plain = [(s, t) for s, t in found if not t.template and t.specialises is None]
    if plain:
        if any(t.tag for _, t in plain):  # `typedef struct T { … } T;` says nothing else by its second name
            plain = [(s, t) for s, t in plain if not t.repeats_tag]
            found = [(s, t) for s, t in found if not t.repeats_tag]
        placed, kind = plain[-1]
        shares = placed.item == around.item and (bool(kind.owner) or kind.scope is not None)
        same = len(found) == len(plain) and all(_is_same(it, plain[-1]) for it in plain[:-1])
        return Class(placed, kind, around.bindings if shares else {}) if same else unknown
    primary = [(s, t) for s, t in found if t.template and t.specialises is None]
    if given is None:
        inside = [(s, t) for s, t in found if s.item == here.item and t.body.start <= here.offset < t.body.end]
        return Class(*inside[-1], here.bindings) if inside else unknown
    if len(primary) != 1:
        return unknown
    return _instance(primary[0], [it for it in found if it != primary[0]], given, here, depth) or unknown


def _as_compiled(env: Environment, placed: PlacedItem, kind: TypeDefinition) -> TypeDefinition:
    """With the members that hold, where an #if decides which; its layout is not known where that is not."""
    if not any(it.conditions for it in kind.fields or ()):
        return kind
    key = ("members", placed.item, placed.order, kind.body.start)
    return env.remember(key, lambda: structs.replace(kind, fields=in_force(kind.fields or (), env, placed.order)), kind)


def _is_same(one: tuple[PlacedItem, TypeDefinition], other: tuple[PlacedItem, TypeDefinition]) -> bool:
    inner = _inside(*one)
    if inner != _inside(*other):
        return False
    return one[1] == other[1] or (not any(inner) and _says(one[1]) == _says(other[1]) is not None)


def _inside(placed: PlacedItem, kind: TypeDefinition) -> tuple[Sequence[Definition], Sequence[TypeDefinition]]:
    """What a class defines besides what its objects consist of: constants, enumerators, types."""
    members, body = {it.name for it in kind.fields or ()}, kind.body
    within = [it for it in placed.facts.definitions if body.start <= it.start < body.end]
    types = [it for it in placed.facts.types if it is not kind and body.start <= it.body.start < body.end]
    return [it for it in within if it.name not in members], types


def _says(kind: TypeDefinition) -> Hashable | None:
    """Equal for definitions that say the same, as those for several platforms may; None: that hangs on where it is."""
    if kind.alias is not None:
        return kind.alias
    fields = kind.fields
    if fields is None or kind.enum or kind.bases or kind.constructors != () or kind.attributes:
        return None
    sizes = [tuple(it.value if isinstance(it, Number) else None for it in field.extents) for field in fields]
    plain = all(not it.attributes and it.width is None and builtin(it.type.text, False) for it in fields)
    if any(None in size for size in sizes) or not plain:
        return None
    each = ((it.name, it.type, it.initial, size) for it, size in zip(fields, sizes, strict=True))
    return kind.union, *each


def _instance(
    primary: tuple[PlacedItem, TypeDefinition],
    special: Sequence[tuple[PlacedItem, TypeDefinition]],
    given: tuple[str, ...],
    here: ItemScope,
    depth: int,
) -> Class | None:
    from occupancy_lsp.source.meaning.templates import bind

    placed, kind = primary
    template = kind.template or ()
    bindings = bind(template, given, here, here.within(Class(placed, kind, {})), None, depth)
    others = tuple((it.item, each.body.start) for it, each in special)
    key = ("instance", placed.item, kind.body.start, placed.order, shared(frozenset(bindings.items())), others)
    start: Class | None = None
    return here.env.remember(key, lambda: _matching(primary, special, bindings, here), start)


def _matching(
    primary: tuple[PlacedItem, TypeDefinition],
    special: Sequence[tuple[PlacedItem, TypeDefinition]],
    bindings: Bindings,
    here: ItemScope,
) -> Class | None:
    from occupancy_lsp.source.meaning.templates import read_parameter

    placed, kind = primary
    if special and any("..." in text for text in kind.template or ()):
        return None  # which arguments a pack takes is not followed
    names = [read_parameter(text).name for text in kind.template or ()]
    matching: list[Class] = []
    for where, other in special:
        match = _match(other, [bindings.get(name) for name in names], here.within(Class(where, other, {})))
        if match is None:
            return None
        if match is not False:
            matching.append(Class(where, other, match))  # type: ignore[arg-type]
    if len(matching) > 1:
        full = [it for it in matching if not it.definition.template]
        return full[0] if len(full) == 1 else None
    return matching[0] if matching else Class(placed, kind, bindings)


def _match(special: TypeDefinition, actual: Sequence[Bound | None], inside: ItemScope) -> Bindings | bool | None:
    """What the specialisation's own parameters stand for; False: it is for other arguments; None: cannot be told."""
    from occupancy_lsp.source.meaning.constants import evaluate
    from occupancy_lsp.source.meaning.templates import read_parameter
    from occupancy_lsp.source.text.parsing import parse_apart

    own = {read_parameter(text).name for text in special.template or ()}
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
        elif bound is None:
            doubtful = True
        elif isinstance(bound, int):
            number = evaluate(parse_apart(pattern), inside).number
            if number is None:
                doubtful = True
            elif number != bound:
                return False
        else:
            kind = resolve_type(pattern, inside)
            if isinstance(kind, str):
                doubtful = True
            elif kind != bound:
                return False
    return None if doubtful else found
