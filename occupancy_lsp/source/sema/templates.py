"""Template parameters, and what they stand for in one instance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import split_template_arguments
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.lower.preprocessor_directives import names_called_by_macro_text
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.lambda_names import name_of_call_lambda, name_of_variable_lambda
from occupancy_lsp.source.sema.types import Bindings, Bound, CallableArgument, Type, resolve_type, type_of_argument
from occupancy_lsp.source.syntax.expression_nodes import UnparsedText
from occupancy_lsp.source.syntax.expression_parser import parse_detached

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope

_TYPE = regex(r"(?:typename|class)\b\s*(\.\.\.)?\s*(\w*)\s*(?:=\s*(.*))?\Z", re.DOTALL)
_NO_NAME = r"(?!(?:auto|bool|char|double|float|int|long|short|signed|unsigned)\Z)"
_VALUE = regex(rf"(.*?[\s*&>])\s*{_NO_NAME}([A-Za-z_]\w*)\Z", re.DOTALL)
_DEFAULT = regex(r"\s*(?<![<>=!])=(?!=)\s*")
_IDENTIFIER = regex(r"[A-Za-z_][\w:]*\Z")
_TEMPLATE = regex(r"template\s*<.*>\s*(?:class|typename)\s+(\w+)\Z", re.DOTALL)
_PATTERN = regex(r"(\w+)([*&\s]*)\Z")
_INSTANCE = regex(r"([\w:]+)\s*<(.*)>\s*([*&\s]*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    """`name`: "" where it has none, as `std::enable_if_t<…> = 0`. `type`: a value's type as written. `default`: its
    text."""

    name: str
    kind: Literal["type", "value", "template", "other"]
    type: str
    default: str | None


@remembered(2048)
def parse_template_parameter(text: str) -> TemplateParameter:
    """Of `typename T = float`, `int N = 4`, `template <class> class F`; packs are "other"."""
    said = " ".join(text.split())
    if as_template := _TEMPLATE.match(said):
        return TemplateParameter(as_template[1], "template", "", None)
    as_type = _TYPE.match(said)
    if as_type:
        return TemplateParameter(as_type[2], "other" if as_type[1] else "type", "", as_type[3])
    declared, *default = _DEFAULT.split(said, maxsplit=1)
    as_value = _VALUE.match(declared)
    pointer = "(*" in declared or declared.endswith(")")
    if said.startswith("template") or "..." in declared or pointer or not (as_value or default):
        return TemplateParameter("", "other", "", None)
    if as_value is None:
        return TemplateParameter("", "value", declared, default[0])
    return TemplateParameter(as_value[2], "value", as_value[1].strip(), default[0] if default else None)


def bind_template(
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
    for index, parameter in enumerate(map(parse_template_parameter, template)):
        if parameter.kind == "other":
            break
        value: Bound | None
        if index < len(given):
            value = _bind_parameter(parameter, given[index], here, depth)
        elif parameter.name in deduced:
            value = deduced[parameter.name]
        elif parameter.default is not None:
            value = _bind_parameter(
                parameter, parameter.default, there.with_bindings({**there.bindings, **found}), depth
            )
        else:
            value = None
        if value is not None and parameter.name:
            found[parameter.name] = value
    return found


def _bind_parameter(parameter: TemplateParameter, text: str, scope: ItemScope, depth: int) -> Bound | None:
    given = scope.bound(text.strip())
    if isinstance(given, CallableArgument):
        return given
    if parameter.kind == "template":
        return CallableArgument(text.strip()) if _IDENTIFIER.match(text.strip()) else None
    if parameter.kind == "type":
        resolved = resolve_type(text, scope, depth + 1)
        return resolved if isinstance(resolved, Type) else None
    number = evaluate(parse_detached(text), scope).number
    if number is not None:
        return number
    name = text.strip().removeprefix("&")
    return (
        CallableArgument(name) if _IDENTIFIER.match(name) and scope.env.has_function(name.rsplit("::", 1)[-1]) else None
    )


def is_fully_bound(template: Sequence[str], bindings: Bindings) -> bool:
    return all((it := parse_template_parameter(text)).kind != "other" and it.name in bindings for text in template)


def deduce_template_arguments(function: Function, arguments: Sequence[str], scope: ItemScope) -> dict[str, Bound]:
    """What the types of a call's arguments say of the function's template parameters."""
    parameters = [parse_template_parameter(it) for it in function.template or ()]
    types = {it.name for it in parameters if it.kind == "type"}
    wanted = types | {it.name for it in parameters if it.kind == "value" and it.name}
    found: dict[str, Bound] = {}
    doubtful: set[str] = set()
    for parameter, argument in zip(function.parameters, arguments, strict=False):
        pattern = _PATTERN.match(parameter.type)
        each: Iterable[tuple[str, Bound | None]]
        if pattern is not None and pattern[1] in types:
            each = ((pattern[1], _lambda_argument(argument, scope) or _deduced_type(argument, pattern[2], scope)),)
        else:
            each = _deduced_from_instance(parameter.type, argument, wanted, scope)
        for name, bound in each:
            if bound is not None and found.setdefault(name, bound) != bound:
                doubtful.add(name)
    return {name: bound for name, bound in found.items() if name not in doubtful}


def _deduced_from_instance(
    said: str, argument: str, wanted: Set[str], scope: ItemScope
) -> Iterator[tuple[str, Bound | None]]:
    """What `A<T, N>&` says of T and N for an argument that is of an instance of the class template A."""
    pattern = _INSTANCE.match(said)
    given = split_template_arguments(pattern[2]) if pattern is not None else ()
    if pattern is None or wanted.isdisjoint(given):
        return
    kind = _deduced_type(argument, pattern[3], scope)
    inside = kind.inside if kind is not None else None
    if inside is None or inside.definition.name != pattern[1].rpartition("::")[2]:
        return
    for text, made in zip(given, inside.definition.template or (), strict=False):
        if text in wanted:
            yield text, inside.bindings.get(parse_template_parameter(made).name)


def _names_called_by_lambdas(texts: Iterable[str], scope: ItemScope) -> frozenset[str] | None:
    """What the lambdas call; None: the function that makes them declares local memory, in one of them or itself."""
    scope.env.depend_on_item_text(scope.item)
    makers = [it for it in scope.placed.facts.functions if it.body.start <= scope.offset < it.body.end]
    if any(it.memory.arrays or it.memory.unread for it in makers):
        return None
    return frozenset().union(*map(names_called_by_macro_text, texts))


def _lambda_argument(argument: str, scope: ItemScope) -> CallableArgument | None:
    if argument.startswith("["):
        return CallableArgument(
            name_of_call_lambda(argument, scope), _names_called_by_lambdas((argument,), scope), True
        )
    declared = scope.declared(argument) if argument.isidentifier() else None
    if declared is None:
        return None
    if declared[0] == "[]":
        values = [it.value for it in scope.placed.facts.locals.get(argument, ()) if it.type == "[]"]
        texts = [it.text.decode("utf-8", "replace") for it in values if isinstance(it, UnparsedText)]
        calls = _names_called_by_lambdas(texts, scope) if texts and len(texts) == len(values) else None
        return CallableArgument(name_of_variable_lambda(argument, scope), calls, True)
    bound = declared[1].bound(declared[0].rstrip("&* "))  # of a parameter that was given one
    return bound if isinstance(bound, CallableArgument) else None


def _deduced_type(argument: str, marks: str, scope: ItemScope) -> Type | None:
    given = type_of_argument(argument, scope)
    return _pointee_by_marks(given, marks) if given is not None else None


def _pointee_by_marks(given: Type, marks: str) -> Type | None:
    """`float` of `float*` for a parameter `T*`."""
    stars = marks.count("*")
    bare: Type | None = given
    for _ in range(stars):
        bare = bare.pointee if bare is not None else None
    return bare


def bind_template_of_call(
    function: Function,
    given: Sequence[str] | None,
    arguments: Sequence[str] | None,
    here: ItemScope,
    there: ItemScope,
) -> Bindings:
    """What a call with the template arguments `given` and these arguments, as written, makes of the parameters."""
    template, said = function.template or (), given or ()
    deduced = deduce_template_arguments(function, arguments or (), here) if len(said) < len(template) else {}
    return bind_template(template, said, here, there, deduced)


def template_arguments_text(template: Sequence[str], bindings: Bindings, scope: ItemScope) -> str:
    """`256, float` of an instance, as a demangler prints it."""
    return ", ".join(_demangled_argument(parse_template_parameter(text), bindings, scope) for text in template)


def _demangled_template_path(name: str, scope: ItemScope) -> str:
    """Of a class template that is an argument, with the namespaces that a demangler prints."""
    paths = {(*placed.scope_path(kind.owner), kind.name) for placed, kind in scope.env.types(name.rpartition("::")[2])}
    return "::".join(filter(None, paths.pop())) if len(paths) == 1 else name


def _demangled_argument(parameter: TemplateParameter, bindings: Bindings, scope: ItemScope) -> str:
    bound = bindings.get(parameter.name)
    if bound is None:
        return "?"
    if isinstance(bound, Type):
        return bound.shown
    if isinstance(bound, CallableArgument):
        if bound.is_lambda:
            return bound.name
        return _demangled_template_path(bound.name, scope) if parameter.kind == "template" else f"&{bound.name}"
    kind = resolve_type(parameter.type, scope)
    if isinstance(kind, Type) and kind.name == "bool":
        return "true" if bound else "false"
    if isinstance(kind, Type) and kind.enum:
        return f"({kind.name}){bound}"
    return str(bound)
