"""Which functions and macros may launch a kernel that they are given, and as which argument."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.semantic_hash import identifiers_in_text
from occupancy_lsp.source.lex.argument_text import is_parenthesised
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Function, WrapperCall
from occupancy_lsp.source.lower.launches import contains_launch, kernel_of_expression, kernel_of_variable
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment

_DEEPEST = 6
_ANY = frozenset((-1,))  # in place of the indices of arguments: whichever
_CALLED = regex(r"\b([A-Za-z_]\w*)\s*(?:<[^;(){}]{0,500}>\s*)?\(")
_WORD = regex(r"[A-Za-z_]\w*")
_ALONE = regex(r"(?<!\w)([A-Z][A-Z0-9_]{2,99})\s*[;}]")


def parameter_names(function: Function) -> frozenset[str]:
    """Its parameters and its template's."""

    def names() -> frozenset[str]:
        named = (parse_template_parameter(it).name for it in function.template or ())
        return frozenset((*(it.name for it in function.parameters), *named)) - {""}

    return function.remembered_answers.ask("given names", names)


def calls_passing(placed: LocatedItem, body: Span, names: Set[str]) -> Iterator[tuple[WrapperCall, Set[str]]]:
    """The calls in a body whose arguments have some of the names, with these."""
    for it in placed.facts.launching.handings:
        if not body.start <= it.site.start < body.end:
            continue
        if named := names & frozenset[str]().union(*map(identifiers_in_text, it.site.arguments or ())):
            yield it, named


def may_launch_argument(env: Environment, label: str) -> bool:
    """Whether a macro or function of that name may launch what it is given."""
    return bool(_launched_argument_indices(env, label))


def calls_that_may_launch(env: Environment, placed: LocatedItem, function: Function) -> Sequence[WrapperCall]:
    """The calls in a function that may launch what it is given."""
    nothing: Sequence[WrapperCall] = ()
    key = ("handed on", placed.item, function.body.start)
    return env.remember(key, lambda: [it for it, _ in _calls_launching_parameters(env, placed, function)], nothing)


def conditional_alternatives(text: str) -> tuple[str, str] | None:
    """What a condition chooses between."""
    nesting, marks, middle = 0, 0, 0
    for at, letter in enumerate(text):
        nesting += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
        if nesting:
            continue
        if letter == "?":
            marks, middle = marks + 1, middle or at + 1
        elif letter == ":" and ":" not in (text[at - 1 : at], text[at + 1 : at + 2]):
            marks -= 1
            if not marks:
                return text[middle:at], text[at + 1 :]
    return None


def without_outer_parentheses(text: str) -> str:
    """Without parentheses around all of it."""
    said = text.strip()
    while said.startswith("(") and is_parenthesised(said):
        said = said[1:-1].strip()
    return said


def _may_lead_to_launch(env: Environment, label: str) -> bool:
    """`may_launch_argument` as it is known without a look at which argument is launched."""
    return env.remember(("may lead to launches", label), lambda: _compute_may_lead_to_launch(env, label), False)


def _compute_may_lead_to_launch(env: Environment, label: str) -> bool:
    for text, parameters in _macro_parameters_by_text(env, label).items():
        handed = {it for it in _WORD.findall(text) if env.all_function_macros_named(it)}  # as `EACH(LAUNCH, 32, 64)` is
        called = {*_CALLED.findall(text), *_ALONE.findall(text), *handed} - {label, *parameters}
        # What is called may be a lambda of where the macro stands.
        if contains_launch(text) or any(
            "launch" in it.lower() or _may_lead_to_launch(env, it) for it in sorted(called)
        ):
            return True
    return any(_may_launch_own_parameters(env, *found) for found in env.functions(label))


def _macro_parameters_by_text(env: Environment, label: str) -> Mapping[str, Sequence[str]]:
    """Those of that name: by its text, the parameters."""
    texts: dict[str, Sequence[str]] = {form.body: form.parameters for form in env.all_function_macros_named(label)}
    texts.update((it.definition.type, ()) for it in env.definitions(label) if it.definition.kind == "macro")
    return texts


def _may_launch_own_parameters(env: Environment, placed: LocatedItem, function: Function) -> bool:
    if not (function.parameters or function.template):
        return False
    if _parameters_launched_directly(placed, function):
        return True
    inner = (it.site.unqualified_name for it, _ in calls_passing(placed, function.body, parameter_names(function)))
    return any(_may_lead_to_launch(env, it) for it in inner if it != function.name)


def _parameters_launched_directly(placed: LocatedItem, function: Function) -> frozenset[str]:
    """Those of what a function is given that it launches itself."""
    body = function.body
    launched = {it.variable for it in placed.facts.launching.launches if body.start <= it.span.start < body.end}
    return parameter_names(function) & launched


def _calls_launching_parameters(
    env: Environment, placed: LocatedItem, function: Function
) -> Iterator[tuple[WrapperCall, Set[str]]]:
    """With what each may launch of it."""
    lambdas = {it.variable[0] for it in function.mentions.lambdas if it.variable}
    for it, named in calls_passing(placed, function.body, parameter_names(function)):
        arguments = it.site.arguments or ()
        launched = _ANY if it.site.name in lambdas else _launched_argument_indices(env, it.site.unqualified_name)
        if launched and (launched == _ANY or any("..." in text for text in arguments)):
            yield it, named
            continue
        texts = [text for index, text in enumerate(arguments) if index in launched]
        if found := frozenset[str]().union(*(parameters_in_expression(text, placed, function) for text in texts)):
            yield it, found


def _launched_argument_indices(env: Environment, label: str) -> Set[int]:
    """The arguments that a macro or function of that name may launch, by their index."""
    if not _may_lead_to_launch(env, label):
        return frozenset()
    return env.remember(("launched", label), lambda: _compute_launched_indices(env, label), _ANY)


def _compute_launched_indices(env: Environment, label: str) -> Set[int]:
    if _macro_parameters_by_text(env, label):
        return _ANY
    found: set[int] = set()
    for placed, function in env.functions(label):
        names = _parameters_launched_directly(placed, function).union(
            *(named for _, named in _calls_launching_parameters(env, placed, function))
        )
        plain = {it.name: index for index, it in enumerate(function.parameters) if it.type != "..."}
        if names - plain.keys():
            return _ANY
        found |= {plain[it] for it in names}
    return found


def parameters_in_expression(text: str, placed: LocatedItem, function: Function, depth: int = 0) -> Set[str]:
    """Of what the function is given, what an expression in it may be; a kernel that is named there is none of it."""
    own, said = parameter_names(function), without_outer_parentheses(text)
    if (choice := conditional_alternatives(said)) is not None:
        return frozenset[str]().union(*(parameters_in_expression(it, placed, function, depth + 1) for it in choice))
    name, template = kernel_of_expression(said)
    if not name or template is not None or depth > _DEEPEST:
        return frozenset()
    if name in own:
        return {name}
    body = function.body
    held = (it for it in placed.facts.locals.get(name, ()) if body.start <= it.start < body.end)
    return frozenset[str]().union(
        *(parameters_in_expression(kernel_of_variable(it), placed, function, depth + 1) for it in held)
    )
