"""Sizes given as objects: a class may convert to a `dim3`, and what is deduced may be one."""

from __future__ import annotations

from occupancy_lsp.source.facts.facts import Function
from occupancy_lsp.source.meaning.constexpr import DEDUCED
from occupancy_lsp.source.meaning.scope import ItemScope
from occupancy_lsp.source.meaning.templates import read_parameter
from occupancy_lsp.source.meaning.types import Type, resolve_type
from occupancy_lsp.source.text.expressions import Call, Expression, Name
from occupancy_lsp.source.text.parsing import parsed

_DEEPEST = 8


def may_have_several(said: Expression, scope: ItemScope, depth: int = 0) -> bool:
    """Return whether it is of a class, which may come to more than one dimension, or of a type that is deduced."""
    said = parsed(said)
    if depth > _DEEPEST:
        return True
    if isinstance(said, Name) and len(said.parts) == 1:
        declared = scope.declared(said.parts[0])
        found = scope.find(said) if declared is not None and declared[0] in DEDUCED else None
        if isinstance(found, tuple):
            return may_have_several(*found, depth + 1)
        return declared is not None and _is_of_class(*declared)
    if isinstance(said, Call) and said.name.parts[-1] == "dim3":
        return len(said.arguments) == 1 and may_have_several(said.arguments[0], scope, depth + 1)
    if not isinstance(said, Call):
        return False
    if _is_of_class(said.name.written.removesuffix("{}").removesuffix("::"), scope):
        return True
    label = said.name.parts[-1]
    functions = scope.env.functions(label)
    if not functions:
        return bool(scope.env.prototypes(label))
    return any(_returns_object(it, ItemScope(scope.env, placed, it.body.start, it.owner)) for placed, it in functions)


def _returns_object(function: Function, scope: ItemScope) -> bool:
    generic = {read_parameter(it).name for it in function.template or ()}
    return function.returns in {*DEDUCED, *generic} or _is_of_class(function.returns, scope)


def _is_of_class(said: str, scope: ItemScope) -> bool:
    kind = resolve_type(said, scope) if said else ""
    return isinstance(kind, Type) and kind.inside is not None and not kind.enum
