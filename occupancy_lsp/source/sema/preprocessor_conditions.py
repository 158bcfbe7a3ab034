"""What the preprocessor's conditions say where they stand: by the macros that are defined before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.item_facts import Conditions, Definition
from occupancy_lsp.source.sema import macro_uses
from occupancy_lsp.source.sema.constant_evaluation import evaluate, type_of
from occupancy_lsp.source.sema.macro_history import defining_meanings
from occupancy_lsp.source.syntax.expression_nodes import Call, Expression, Name
from occupancy_lsp.source.syntax.expression_parser import parse, parse_detached
from occupancy_lsp.source.syntax.integer_types import IntegerType
from occupancy_lsp.source.syntax.known_value import CIRCLE, Place, Value, unknown

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

_WORD = regex(r"[A-Za-z_]\w*")
_DEFINED = regex(r"!?defined\(\w+\)")
_LAST = 1 << 62  # after all that a unit has


def conditions_hold(env: Environment, conditions: Conditions, order: int) -> bool | None:
    """Whether all of `conditions` hold, which are some; None: not known."""
    told = _orders_of_named_macros(env, conditions)
    if told is None:
        return env.remember(("holds", conditions, order), lambda: _evaluate_conditions(env, conditions, order), None)
    after = bisect_left(told, order)  # wherever as much has been defined, they say the same

    def evaluate_after_directives() -> bool | None:
        told = _orders_of_named_macros(env, conditions) or ()
        return _evaluate_conditions(env, conditions, told[after] if after < len(told) else _LAST)

    return env.remember(("holds", conditions, "after", after), evaluate_after_directives, None)


def _orders_of_named_macros(env: Environment, conditions: Conditions) -> Sequence[int] | None:
    """The orders of what defines the macros that they name, where nothing else tells the places apart at which
    they stand. None: more does, as what these macros stand for."""
    return env.remember(("told apart", conditions), lambda: _find_defining_orders(env, conditions), None)


def _find_defining_orders(env: Environment, conditions: Conditions) -> Sequence[int] | None:
    names = _names_in_conditions(conditions)
    borne = env.function_macros_among(names)
    found = sorted({it.placed.order for name in names for it in env.macro_history(name)})
    plain = all(_DEFINED.fullmatch(text) for text, _ in conditions)
    return found if plain or not (found or borne) else None


@remembered(4096)
def _names_in_conditions(conditions: Conditions) -> frozenset[str]:
    return frozenset(_WORD.findall(" ".join(text for text, _ in conditions)))


def _evaluate_conditions(env: Environment, conditions: Conditions, order: int) -> bool | None:
    result: bool | None = True
    for text, wanted in conditions:
        if wanted and _is_include_guard(env, text):
            continue
        said = _is_condition_true(env, text, order)
        if said is None:
            result = None
        elif said != wanted:
            return False
    return result


def _is_condition_true(env: Environment, text: str, order: int) -> bool | None:
    """Whether a condition holds of what stands there. What stands under it as well may come behind its #if, or under
    another of the same words before that: only what is so either way is known."""
    said = evaluate(parse(text.encode()), _Preprocessor(env, order)).number
    names = _names_in_conditions(((text, True),))
    if said is not None and any(it.is_under_given_condition(text) for name in names for it in env.macro_history(name)):
        other = evaluate(parse(text.encode()), _Preprocessor(env, order, text)).number
        said = said if other is not None and bool(other) == bool(said) else None
    return None if said is None else bool(said)


def _is_include_guard(env: Environment, text: str) -> bool:
    """Whether this is the `#ifndef X` around the one place that defines X: an include guard, or a default."""
    name = text.removeprefix("!defined(").removesuffix(")")
    if (
        len(text) == len(name)
        or env.predefined(name) is not None
        or env.is_predefined(name)
        or env.may_be_overridden(name)
    ):
        return False
    found = [f for f in env.definitions(name) if f.definition.kind == "macro"]
    return bool(found) and all((text, True) in f.placed.conditions for f in found)


def is_defined(env: Environment, name: str, order: int, but: str = "") -> bool | None:
    """Whether a macro of that name is; None: not known. `but`: without what stands under this condition."""
    if any(it.placed.order == order and it.placed.facts.functions for it in env.macro_history(name)):
        return None  # before the #if or behind it
    said = {it.defines if it is not None else _is_predefined(env, name) for it in env.in_force(name, (order, 0), but)}
    return said.pop() if len(said) == 1 else None


def _is_predefined(env: Environment, name: str) -> bool | None:
    """Whether a macro is defined that no text in sight defines."""
    known = env.is_predefined(name)
    return False if known is None and not env.may_be_defined_by_build(name) else known


class _Preprocessor:
    """The preprocessor's view of a name: macros only."""

    slot_of_text_item = -1

    def __init__(self, environment: Environment, order: int, but: str = "") -> None:
        self._environment = environment
        self._order = order
        self._but = but

    def find(self, name: Name) -> tuple[Expression, _Preprocessor] | str:
        env, label = self._environment, str(name)
        number = env.predefined(label)
        if (
            env.is_predefined(label)
            and number is not None
            and env.in_force(label, (self._order, 0), self._but) == (None,)
        ):
            return parse(str(number).encode()), self
        defined = env.is_defined(label, self._order, self._but)
        if defined is False:
            return parse(b"0"), self
        found = defining_meanings(env.in_force(label, (self._order, 0), self._but))
        given = env.may_be_overridden(label) and any(it.is_ifndef_default for it in found)
        if defined and len(found) == 1 and isinstance(it := found[0].said, Definition) and not given:
            return it.value, self
        return f"{label} may be defined elsewhere"

    def remember(self, name: Name, value: Expression, compute: Callable[[], Value]) -> Value:
        return self._environment.remember(("condition", str(name), self._order, self._but), compute, CIRCLE)

    def call(self, name: Name, texts: tuple[str, ...], depth: int) -> Value:
        env, at = self._environment, (self._order, 0)
        if len(name.parts) > 1 or not defining_meanings(env.in_force(str(name), at, self._but)):
            return unknown(f"the value of {name}(…)")
        return macro_uses.value_of_macro_call(str(name), texts, env, at, self, depth)

    preprocesses = True

    @property
    def may_exceed_64_bits(self) -> bool:
        return self._environment.dialect.grammar.several_vendors

    def type_named(self, text: str) -> IntegerType | None:
        return None

    def type_of_call(self, name: Name, texts: tuple[str, ...], depth: int) -> IntegerType | None:
        text = macro_uses.expanded_condition_call(str(name), texts, self._environment, (self._order, 0))
        return type_of(parse_detached(text), self, depth) if text is not None else None

    def scope_within_enumeration(self, deciding: tuple[str, ...]) -> _Preprocessor:
        return self

    def member(self, whole: Expression, field: str, depth: int) -> Value:
        return unknown("a member in a condition")

    def bare_operator_precedence(self, call: Call) -> int:
        return 99

    def size_of(self, operator: str, text: str) -> Value:
        return unknown(f"{operator} in a condition")

    def is_defined(self, name: str) -> bool | None:
        return self._environment.is_defined(name, self._order, self._but)

    def given_constant(self, id_: str) -> int | None:
        return None

    def literal_override_at(self, place: Place) -> int | None:
        return None
