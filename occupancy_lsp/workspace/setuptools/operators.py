"""What operators make of values."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from occupancy_lsp.workspace.doubts import (
    MOST_ITEMS,
    MOST_TEXT,
    NONE,
    Doubts,
    Item,
    Items,
    Several,
    Table,
    TooMuch,
    Unknown,
    is_true,
    items_of,
    resolved,
)

ENVIRONMENT = object()  # os.environ


def extend(into: Items, value: object, doubts: Doubts) -> None:
    into.items += items_of(value, doubts)
    if len(into.items) > MOST_ITEMS:
        raise TooMuch


def operation(left: object, operator: ast.operator, right: object, doubts: Doubts) -> object:
    if isinstance(operator, ast.Add):
        return sum_of(left, right, doubts)
    if isinstance(operator, ast.Div) and isinstance(left, str) and isinstance(right, str):
        return f"{left}/{right}"  # a path
    if isinstance(operator, ast.Mod) and isinstance(left, str) and left.count("%") == 1:
        known = "%s" in left and isinstance(right, str | int)
        return left.replace("%s", str(right)) if known else Unknown(left)
    return Unknown()


def sum_of(left: object, right: object, doubts: Doubts) -> object:
    if isinstance(left, str) and isinstance(right, str) and len(left) + len(right) < MOST_TEXT:
        return left + right
    if any(isinstance(it, Items) for it in (left, right)) or isinstance(left, Several):
        made = Items()
        extend(made, left, doubts)
        extend(made, right, doubts)
        return made
    return Unknown(left if isinstance(left, str) else "")


def item_of(value: object, index: object, doubts: Doubts) -> object:
    if isinstance(value, Table) and isinstance(index, str) and index in value.keys:
        return resolved(value.keys[index].said, doubts)
    if isinstance(value, tuple | Items) and isinstance(index, int):
        items = items_of(value, NONE)
        if -len(items) <= index < len(items) and not any(it.doubts for it in items):
            return items[index].value
    return Unknown()


def compared(left: object, operator: ast.cmpop, right: object, asked: bool) -> object:
    """`asked`: what the environment says is unknown."""
    match operator:
        case ast.Is() | ast.IsNot():
            if right is not None or (isinstance(left, Unknown | Several) and is_true(left) is None):
                return Unknown()
            return (left is None) == isinstance(operator, ast.Is)
        case ast.In() | ast.NotIn():
            if right is ENVIRONMENT and not asked:
                return isinstance(operator, ast.NotIn)
            if isinstance(right, str) and isinstance(left, str):
                return (left in right) == isinstance(operator, ast.In)
            found = items_of(right, NONE) if isinstance(right, tuple | Items) else [Item(Unknown())]
            if any(isinstance(it.value, Unknown) or it.doubts for it in found) or not isinstance(left, str | int):
                return Unknown()
            return (left in [it.value for it in found]) == isinstance(operator, ast.In)
        case ast.Eq() | ast.NotEq() if all(isinstance(it, str | int | None) for it in (left, right)):
            return (left == right) == isinstance(operator, ast.Eq)
        case ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() if isinstance(left, int) and isinstance(right, int):
            lower, higher = (left, right) if isinstance(operator, ast.Lt | ast.LtE) else (right, left)
            return lower < higher or (lower == higher and isinstance(operator, ast.LtE | ast.GtE))
    return Unknown()


def logic(both: bool, values: Iterable[object]) -> object:
    """Of `and`, if `both`, or of `or`; what Python would not look at is not asked for."""
    last: object = Unknown()
    unknown = False
    for last in values:
        said = is_true(last)
        if said is None:
            unknown = True
        elif said is not both:
            return last
    return Unknown() if unknown else last


def length(value: object) -> object:
    if isinstance(value, str | tuple):
        return len(value)
    if isinstance(value, Items) and not any(it.doubts or isinstance(it.value, Unknown) for it in value.items):
        return len(value.items)
    return Unknown("len", there=isinstance(value, Unknown) and value.there)
