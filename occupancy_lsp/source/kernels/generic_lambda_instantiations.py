"""The instances of generic lambdas: what they are called with, here and in the functions that they are handed to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import shared
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.call_resolution import candidate_functions, template_bindings_of_call
from occupancy_lsp.source.kernels.function_instance import FunctionInstance, function_instance
from occupancy_lsp.source.lower.item_facts import CallSite, Function, Lambda
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings, lambda_parameter_binding_name, type_of_argument
from occupancy_lsp.source.syntax.span_set import NestedSpans

_MOST, _DEEPEST = 64, 8
_WORD = regex(r"\w+")
_NO_LAMBDAS: NestedSpans[Lambda] = NestedSpans(())
_FORWARDED = regex(r"(?:std::)?(?:forward\s*<.*>|move)\s*\(\s*(\w+)\s*\)", re.DOTALL)
_HANDS_ON = ("std::forward", "std::move", "forward", "move")


@dataclass(frozen=True, slots=True)
class LambdaBindings:
    """`complete`: there are no others."""

    known: tuple[Bindings, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of the lambda, with these arguments as `scope` has them."""

    scope: ItemScope
    arguments: tuple[str, ...]


def generic_lambdas_around(
    env: Environment, placed: LocatedItem, function: Function, offset: int, start: int = -1
) -> list[Lambda]:
    """The generic lambdas whose bodies hold `offset`, but not `start`: the outermost first."""
    if not function.mentions.lambdas:
        return []
    key = ("lambdas", placed.item, function.body.start)
    nested = env.remember(
        key, lambda: NestedSpans((it.body.start, it.body.end, it) for it in function.mentions.lambdas), _NO_LAMBDAS
    )
    return [it for it in nested.all_containing(offset) if not it.body.start <= start < it.body.end]


def lambda_bindings_at(
    env: Environment, body: FunctionInstance, offset: int, start: int = -1, depth: int = 0
) -> LambdaBindings:
    """What is bound at `offset`: for each instance of the generic lambdas around it, those around `start` as they are
    in `body`."""
    found = LambdaBindings((body.bindings,), True)
    for it in generic_lambdas_around(env, body.placed, body.function, offset, start):
        each = [_bindings_of_lambda(env, replace(body, bindings=outer), it, depth) for outer in found.known]
        made = {frozenset(bound.items()): bound for one in each for bound in one.known}
        whole = found.complete and all(one.complete for one in each) and len(made) <= _MOST
        found = LambdaBindings(tuple(made.values())[:_MOST], whole)
    return found


def _bindings_of_lambda(env: Environment, body: FunctionInstance, it: Lambda, depth: int) -> LambdaBindings:
    key = ("lambda", body.placed.item, body.placed.order, it.body.start, shared(frozenset(body.bindings.items())))
    return env.remember(key, lambda: _find_bindings_of_lambda(env, body, it, depth), LambdaBindings((), False))


def _find_bindings_of_lambda(env: Environment, body: FunctionInstance, it: Lambda, depth: int) -> LambdaBindings:
    calls = _Calls(env, depth)
    calls.gather_from_lambda(body, it)
    return LambdaBindings(
        tuple({**body.bindings, **_deduced_parameter_types(it, call)} for call in calls.found), calls.complete
    )


def _deduced_parameter_types(it: Lambda, call: _Call) -> Bindings:
    """What the call makes of the types of the parameters, as far as that is plain to see."""
    types = {
        lambda_parameter_binding_name(name, it.parameters.start): type_of_argument(call.arguments[index], call.scope)
        for index, name in it.autos
        if index < len(call.arguments)
    }
    return {name: kind for name, kind in types.items() if kind is not None}


class _Calls:
    """Gathers the calls of one lambda. `complete`: nothing else is done with it."""

    def __init__(self, env: Environment, depth: int) -> None:
        self._env = env
        self._depth = depth
        self._hands = 0
        self.found: list[_Call] = []
        self.complete = True

    def gather_from_lambda(self, body: FunctionInstance, it: Lambda) -> None:
        if it.called is not None:
            self.found.append(_Call(body.scope(self._env, it.parameters.start), it.called))
        elif it.handed is not None:
            sites = [site for site in body.function.mentions.calls if site.start == it.handed[0]]
            index = it.handed[1]
            fitting = [site for site in sites if len(site.arguments or ()) > index]
            if len(sites) == 1 and fitting:
                self._follow_into_callee(body, sites[0], index)
            else:
                self.complete = False
        elif it.variable is not None:
            self._follow_variable(body, *it.variable, it.uses)
        else:
            self.complete = False

    def _follow_variable(self, body: FunctionInstance, name: str, start: int, uses: Iterable[int]) -> None:
        """What is done with the variable `name` that is defined at `start`."""

        def declaration_start(at: int) -> int | None:
            return body.scope(self._env, at).local_declaration_offset(name)

        meant = [at for at in uses if declaration_start(at) in (start, None)]
        seen = 0
        for site in _call_sites_naming(self._env, body, name):
            handed = [i for i, text in enumerate(site.arguments or ()) if _is_variable_or_forwarded(text, name)]
            direct = (site.name == name and site.start in meant) or _is_indirect_call(site, name)
            if (
                not (handed or direct)
                or (site.name in _HANDS_ON and not direct)
                or declaration_start(site.start) != start
            ):
                continue
            seen += len(handed) + direct
            if not body.compiles_at(site.start):
                continue
            for there in self._enclosing_instances(body, site, start):
                if direct:
                    self.found.append(_Call(there.scope(self._env, site.start), site.arguments or ()))
                for index in handed:
                    self._follow_into_callee(there, site, index)
        if seen != len(meant) or _is_named_by_macro(self._env, body, name):
            self.complete = False

    def _enclosing_instances(self, body: FunctionInstance, site: CallSite, start: int) -> Iterator[FunctionInstance]:
        """The body in each instance of the generic lambdas between what is defined at `start` and the call."""
        if not generic_lambdas_around(self._env, body.placed, body.function, site.start, start):
            yield body
            return
        if self._depth > _DEEPEST:
            self.complete = False
            return
        made = lambda_bindings_at(self._env, body, site.start, start, self._depth + 1)
        self.complete = self.complete and made.complete
        for bindings in made.known:
            there = function_instance(self._env, body.placed, body.function, bindings)
            if there.compiles_at(site.start):
                yield there

    def _follow_into_callee(self, body: FunctionInstance, site: CallSite, index: int) -> None:
        """Into the function that it is given to."""
        found = candidate_functions(self._env, body, site)
        self._hands += 1
        if len(found) != 1 or self._depth > _DEEPEST or self._hands > _MOST:
            self.complete = False
            return
        placed, function = found[0]
        parameter = function.parameters[index] if index < len(function.parameters) else None
        if parameter is None or not _has_deduced_type(function, parameter.type):
            self.complete = False
            return
        bindings, _ = template_bindings_of_call(self._env, body, site, placed, function)
        there = function_instance(self._env, placed, function, bindings)
        self._depth += 1
        start = there.scope(self._env, function.body.start).local_declaration_offset(parameter.name)
        if start is None:
            self.complete = False
        else:
            self._follow_variable(there, parameter.name, start, parameter.uses)
        self._depth -= 1


def _is_variable_or_forwarded(text: str, name: str) -> bool:
    """Whether an argument is the variable itself, or it forwarded."""
    said = text.strip()
    return said == name or ((forwarded := _FORWARDED.fullmatch(said)) is not None and forwarded[1] == name)


def _is_indirect_call(site: CallSite, name: str) -> bool:
    """`std::forward<F>(name)(…)`, `name.operator()(…)`."""
    plain = site.name == ".operator()" and site.template is None
    return (plain or site.name in _HANDS_ON) and _is_variable_or_forwarded(site.on, name)


def _has_deduced_type(function: Function, kind: str) -> bool:
    """Whether the parameter is of a type that its argument decides."""
    bare = kind.replace("const", " ").rstrip("& ").strip()
    named = [it.name for it in map(parse_template_parameter, function.template or ()) if it.kind == "type"]
    return bare == "auto" or bare in named


def _call_sites_naming(env: Environment, body: FunctionInstance, name: str) -> Sequence[CallSite]:
    """The calls in the function that name a variable, be it as an argument; a function may have many, and as many
    lambdas."""

    def group_by_word() -> Mapping[str, Sequence[CallSite]]:
        found: dict[str, list[CallSite]] = {}
        for site in body.function.mentions.calls:
            for word in {*_WORD.findall(" ".join((site.name, site.on, *(site.arguments or ()))))}:
                found.setdefault(word, []).append(site)
        return found

    none: Mapping[str, Sequence[CallSite]] = {}
    return env.remember(("sites by word", body.placed.item, body.function.body.start), group_by_word, none).get(
        name, ()
    )


def _is_named_by_macro(env: Environment, body: FunctionInstance, name: str) -> bool:
    """Whether a macro that the function uses names the variable."""
    key = ("words of macros", body.placed.item, body.function.body.start)
    return name in env.remember(key, lambda: _words_of_macros(env, body.function.mentions.names), frozenset((name,)))


def _words_of_macros(env: Environment, names: Iterable[str]) -> frozenset[str]:
    each = sorted(names)
    texts = [it.definition.type for name in each for it in env.definitions(name) if it.definition.kind == "macro"]
    bodies = [form.body for name in each for form in env.all_function_macros_named(name)]
    return frozenset(word for text in (*texts, *bodies) for word in _WORD.findall(text))
