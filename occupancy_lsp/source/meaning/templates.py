"""Template parameters, and what they stand for in one instance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.facts.facts import Function
from occupancy_lsp.source.facts.preprocessor import calls_in
from occupancy_lsp.source.meaning.constants import evaluate
from occupancy_lsp.source.meaning.types import Bindings, Bound, Code, Type, resolve_type, type_of
from occupancy_lsp.source.text.expressions import Unread, parse_apart

if TYPE_CHECKING:
    from occupancy_lsp.source.meaning.scope import ItemScope

_TYPE = re.compile(r"(?:typename|class)\b\s*(\.\.\.)?\s*(\w*)\s*(?:=\s*(.*))?\Z", re.DOTALL)
_VALUE = re.compile(r"(.*?[\s*&>])(\.\.\.)?\s*(\w+)\s*(?:=(?!=)\s*(.*))?\Z", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_][\w:]*\Z")
_PATTERN = re.compile(r"(\w+)([*&\s]*)\Z")


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    """`type`: a value's type as written. `default`: its text."""

    name: str
    kind: Literal["type", "value", "other"]
    type: str
    default: str | None


@remembered(2048)
def read_parameter(text: str) -> TemplateParameter:
    """Of `typename T = float`, `int N = 4`; packs and templates are "other"."""
    said = " ".join(text.split())
    as_type = _TYPE.match(said)
    if as_type:
        return TemplateParameter(as_type[2], "other" if as_type[1] else "type", "", as_type[3])
    as_value = _VALUE.match(said)
    if as_value is None or said.startswith("template") or as_value[2] or as_value[1].rstrip().endswith("..."):
        return TemplateParameter("", "other", "", None)
    return TemplateParameter(as_value[3], "value", as_value[1].strip(), as_value[4])


def bind(
    template: Sequence[str],
    given: Sequence[str],
    here: ItemScope,
    there: ItemScope,
    deduced: Mapping[str, Bound] | None = None,
    depth: int = 0,
) -> Bindings:
    """What each parameter stands for, as far as it is known.

    `given`: the arguments' texts, that mean what they mean `here`; defaults mean what they mean `there`.
    """
    found: dict[str, Bound] = {}
    deduced = deduced or {}
    for index, parameter in enumerate(map(read_parameter, template)):
        if parameter.kind == "other":
            break
        value: Bound | None
        if index < len(given):
            value = _bound(parameter, given[index], here, depth)
        elif parameter.name in deduced:
            value = deduced[parameter.name]
        elif parameter.default is not None:
            value = _bound(parameter, parameter.default, there.with_bindings({**there.bindings, **found}), depth)
        else:
            value = None
        if value is not None and parameter.name:
            found[parameter.name] = value
    return found


def _bound(parameter: TemplateParameter, text: str, scope: ItemScope, depth: int) -> Bound | None:
    given = scope.bound(text.strip())
    if isinstance(given, Code):
        return given
    if parameter.kind == "type":
        resolved = resolve_type(text, scope, depth + 1)
        return resolved if isinstance(resolved, Type) else None
    number = evaluate(parse_apart(text), scope).number
    if number is not None:
        return number
    name = text.strip().removeprefix("&")
    return Code(name) if _IDENTIFIER.match(name) and scope.env.has_function(name.rsplit("::", 1)[-1]) else None


def complete(template: Sequence[str], bindings: Bindings) -> bool:
    return all((it := read_parameter(text)).kind != "other" and it.name in bindings for text in template)


def deduce(function: Function, arguments: Sequence[str], scope: ItemScope) -> dict[str, Bound]:
    """What the types of a call's arguments say of the function's template parameters."""
    wanted = {it.name for it in map(read_parameter, function.template or ()) if it.kind == "type"}
    found: dict[str, Bound] = {}
    doubtful: set[str] = set()
    for parameter, argument in zip(function.parameters, arguments, strict=False):
        pattern = _PATTERN.match(parameter.type)
        if pattern is None or pattern[1] not in wanted:
            continue
        bound = _lambda(argument, scope) or _deduced(argument, pattern[2], scope)
        if bound is None:
            continue
        if found.setdefault(pattern[1], bound) != bound:
            doubtful.add(pattern[1])
    return {name: bound for name, bound in found.items() if name not in doubtful}


def _calls_of_lambdas(texts: Iterable[str], scope: ItemScope) -> frozenset[str] | None:
    """What the lambdas call; None: the function that makes them declares local memory, in one of them or itself."""
    scope.env.look_through(scope.item)
    makers = [it for it in scope.placed.facts.functions if it.body.start <= scope.offset < it.body.end]
    if any(it.arrays or it.unread for it in makers):
        return None
    return frozenset().union(*map(calls_in, texts))


def _lambda(argument: str, scope: ItemScope) -> Code | None:
    if argument.startswith("["):
        return Code(f"[]{scope.item}:{scope.offset}:{argument}", _calls_of_lambdas((argument,), scope))
    declared = scope.declared(argument) if argument.isidentifier() else None
    if declared is None:
        return None
    if declared[0] == "[]":
        values = [it.value for it in scope.placed.facts.locals.get(argument, ()) if it.type == "[]"]
        texts = [it.text.decode("utf-8", "replace") for it in values if isinstance(it, Unread)]
        calls = _calls_of_lambdas(texts, scope) if texts and len(texts) == len(values) else None
        return Code(f"[]{scope.item}:{argument}", calls)
    bound = declared[1].bound(declared[0].rstrip("&* "))  # of a parameter that was given one
    return bound if isinstance(bound, Code) else None


def _deduced(argument: str, marks: str, scope: ItemScope) -> Bound | None:
    given = type_of(argument, scope)
    return _stripped(given, marks) if given is not None else None


def _stripped(given: Type, marks: str) -> Type | None:
    """`float` of `float*` for a parameter `T*`."""
    stars = marks.count("*")
    bare: Type | None = given
    for _ in range(stars):
        bare = bare.pointee if bare is not None else None
    return bare


def bind_call(
    function: Function,
    given: Sequence[str] | None,
    arguments: Sequence[str] | None,
    here: ItemScope,
    there: ItemScope,
) -> Bindings:
    """What a call with the template arguments `given` and these arguments, as written, makes of the parameters."""
    return bind(function.template or (), given or (), here, there, deduce(function, arguments or (), here))


def arguments_text(template: Sequence[str], bindings: Bindings, scope: ItemScope) -> str:
    """`256, float` of an instance, as a demangler prints it."""
    return ", ".join(_shown(read_parameter(text), bindings, scope) for text in template)


def _shown(parameter: TemplateParameter, bindings: Bindings, scope: ItemScope) -> str:
    bound = bindings.get(parameter.name)
    if bound is None:
        return "?"
    if isinstance(bound, Type):
        return bound.name
    if isinstance(bound, Code):
        return f"&{bound.name}"
    kind = resolve_type(parameter.type, scope)
    if isinstance(kind, Type) and kind.name == "bool":
        return "true" if bound else "false"
    if isinstance(kind, Type) and kind.enum:
        return f"({kind.name}){bound}"
    return str(bound)
