"""Values of functions whose text shows them: own values only, in few steps; nothing is executed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING

from tree_sitter import Node

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.work_limits import StepBudget, TooLarge
from occupancy_lsp.source.lower.item_facts import Function, Parameter
from occupancy_lsp.source.lower.symbol_table import Defined, LocatedItem
from occupancy_lsp.source.sema.builtin_layout import keyword_type
from occupancy_lsp.source.sema.call_frame import CallFrame, bind_parameters
from occupancy_lsp.source.sema.constant_evaluation import converted_value, evaluate
from occupancy_lsp.source.sema.constant_objects import Known, initialised_value, value_of_any_type, value_of_known
from occupancy_lsp.source.sema.macro_uses import with_expanded_statements
from occupancy_lsp.source.sema.types import Type, resolve_type
from occupancy_lsp.source.syntax.expression_nodes import Name
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.integer_types import IntegerType
from occupancy_lsp.source.syntax.known_value import Value
from occupancy_lsp.source.syntax.parser import parse as parse_code
from occupancy_lsp.source.syntax.parser import text

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

_MOST_STEPS = 4000  # of a function and all that it calls; people's take up to some 20
_MOST_OF_USES, _FEWEST = 400_000, 200  # where a function is used often: of all uses together, and of each at least
_DEEPEST = 48
_MOST_NESTED = 64  # statements in one another
DEDUCED = ("auto", "decltype(auto)")
_SMALL = regex(r"\d{1,9}")
_VOID = regex(r"\(\s*void\s*\)\s*\w+")
# Steps left to the evaluation under way, the functions that call one another together.
_LEFT: ContextVar[StepBudget | None] = ContextVar("_LEFT", default=None)
_HEAD = b"int f()"


class _Unknown(Exception):
    """A step whose outcome the text does not show."""


class _Return(Exception):
    def __init__(self, value: Known) -> None:
        self.value = value


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


def value_of_call(name: Name, texts: Sequence[str], scope: ItemScope, depth: int) -> Value:
    kind = scope.type_named(name.written) if len(texts) == 1 else None
    if kind is not None:
        found = converted_value(evaluate(parse_detached(texts[0]), scope, depth + 1), kind)
        return Value(found.number, found.reason, type=found.type)
    return value_of_known(result_of_call(name, texts, scope, depth), f"the value of {name}(…)")


def returned_type(name: Name, texts: Sequence[str], scope: ItemScope) -> IntegerType | None:
    """The arithmetic type that the function returns; None: it is none, or does not show."""
    found = function_called(name, texts, scope)
    if found is None or found[1].returns in DEDUCED:
        return None
    return scope_of_body(*found, name, texts, scope).type_named(found[1].returns)


def result_of_call(name: Name, texts: Sequence[str], scope: ItemScope, depth: int) -> Known:
    """What the function `name` returns for the arguments `texts`; None: that is not known."""
    found = function_called(name, texts, scope)
    if found is None or not scope.env.function_body_pieces(*found) or depth > _DEEPEST:
        return None
    placed, function = found
    inside = scope_of_body(placed, function, name, texts, scope)
    values = bind_parameters(function, texts, scope, inside, depth)
    if values is None:
        return None
    key = ("outcome", *inside.key, *values.items())
    circular: Known = None
    return scope.env.remember(key, lambda: _interpret(placed, function, inside, values, depth), circular)


def function_called(name: Name, texts: Sequence[str], scope: ItemScope) -> tuple[LocatedItem, Function] | None:
    """The function that a call means; None: there is none in sight, or there are several."""
    *outer, label = name.parts
    found = [it for it in scope.env.functions(label) if _is_candidate(it, tuple(outer), len(texts), scope)]
    if len(found) != 1 or not found[0][1].takes(len(texts)):
        return None
    types = _parameter_type_texts(found[0][1].parameters)
    declared = scope.env.prototypes(label) if not outer else ()
    others = (it for it in declared if _accepts_argument_count(it.parameters, len(texts)))
    return None if any(_parameter_type_texts(it.parameters) != types for it in others) else found[0]


def may_mean_function_in_sight(name: Name, count: int, scope: ItemScope) -> bool:
    """Whether a call with so many arguments may mean one that is defined or declared there."""
    *outer, label = name.parts
    candidates = (it for it in scope.env.functions(label) if _is_candidate(it, tuple(outer), count, scope))
    declared = (it for it in scope.env.prototypes(label) if _accepts_argument_count(it.parameters, count))
    return any(candidates) or any(declared)


def _is_candidate(defined: Defined, outer: tuple[str, ...], count: int, scope: ItemScope) -> bool:
    """Whether a call with so many arguments and this qualifier may mean the function: by where it stands or, of one
    that takes what is no built-in type, by its arguments."""
    placed, function = defined
    if not _accepts_argument_count(function.parameters, count):
        return False
    path = placed.scope_path(function.owner)
    if outer or scope.sees(path, ()) or path in scope.visible_namespaces():
        return not outer or scope.sees(path, outer)
    return any(keyword_type(it.type) is None for it in function.parameters)


def _accepts_argument_count(parameters: Sequence[Parameter], count: int) -> bool:
    most = math.inf if any(it.type == "..." for it in parameters) else len(parameters)
    return sum(it.default is None for it in parameters) <= count <= most


def _parameter_type_texts(parameters: Sequence[Parameter]) -> list[str]:
    return ["".join(it.type.split()) for it in parameters]


def scope_of_body(
    placed: LocatedItem, function: Function, name: Name, texts: Sequence[str], scope: ItemScope
) -> ItemScope:
    """Inside its body, with what the call binds of its template."""
    from occupancy_lsp.source.sema.scope import ItemScope
    from occupancy_lsp.source.sema.templates import bind_template_of_call

    inside = ItemScope(scope.env, placed, function.body.start, function.owner)
    if not function.template:
        return inside
    template = name.arguments[-1] if name.arguments else None
    return inside.with_bindings(bind_template_of_call(function, template, texts, scope, inside))


def returned_expressions(
    placed: LocatedItem, function: Function, scope: ItemScope
) -> tuple[tuple[str, int], ...] | None:
    """What it may return, as written, and where that stands; None: that does not show."""
    shown = scope.env.function_body_pieces(placed, function)
    whole = shown[0][0] if len(shown) == 1 else b""
    if len(whole) != function.body.end - function.body.start or not _active_body(placed, function, scope):
        return None
    found: list[tuple[str, int]] = []
    todo = [_parse_body(whole)]
    while todo:
        node = todo.pop()
        if node.type == "return_statement":
            if not node.named_children:
                return None
            found.append((text(node.named_children[0]), function.body.start + node.start_byte - len(_HEAD)))
        elif node.type != "lambda_expression":
            todo += node.named_children
    return tuple(found) if found and not _parse_body(whole).has_error else None


def is_single_return(body_text: bytes) -> bool:
    """Whether a function's body is but a `return`, so that it changes nothing, its parameters neither."""
    body = _parse_body(body_text).named_children[0].child_by_field_name("body")
    said = [it for it in body.named_children if it.type != "comment"] if body is not None else []
    return len(said) == 1 and said[0].type == "return_statement"


def _interpret(
    placed: LocatedItem, function: Function, inside: ItemScope, values: dict[str, Known], depth: int
) -> Known:
    kind = resolve_type(function.returns, inside) if function.returns not in DEDUCED else None
    kinds: dict[str, Type | str | None] = {
        it.name: resolve_type(it.type.replace("&", ""), inside) for it in function.parameters
    }
    outermost = _LEFT.set(StepBudget(_most_steps(inside.env, function.name))) if _LEFT.get() is None else None
    try:
        _Body(inside, dict(values), kinds, kind, depth).statement(_parse_body(_active_body(placed, function, inside)))
    except _Return as done:
        return done.value
    except (_Unknown, _Break, _Continue, TooLarge):
        return None
    finally:
        if outermost is not None:
            _LEFT.reset(outermost)
    return None


def _most_steps(env: Environment, name: str) -> int:
    """As many for each use of the function, wherever it stands."""

    def share() -> int:
        return max(_FEWEST, min(_MOST_STEPS, _MOST_OF_USES // max(len(env.uses(name)), 1)))

    return env.remember(("most steps", name), share, _FEWEST)


def _active_body(placed: LocatedItem, function: Function, scope: ItemScope) -> bytes:
    """The body without the text whose conditions do not hold; none of it if that is not known."""
    key = ("code", placed.item, function.body.start, placed.order)
    return scope.env.remember(key, lambda: _preprocessed_body(placed, function, scope), b"")


def _preprocessed_body(placed: LocatedItem, function: Function, scope: ItemScope) -> bytes:
    own = len(function.conditions)
    pieces: list[bytes] = []
    for text_of_piece, conditions in scope.env.function_body_pieces(placed, function):
        holds = scope.env.holds(conditions[own:], placed.order)
        if holds is None:
            return b""
        pieces += [text_of_piece] if holds else []
    return with_expanded_statements(b"".join(pieces), scope.env, placed.order)


def _variable_type(said: str, initial: str, scope: ItemScope) -> Type | str | None:
    """The type of a variable; None: what its initial value has, if that is not plain to see."""
    if said not in DEDUCED:
        return resolve_type(said, scope)
    return resolve_type("int", scope) if _SMALL.fullmatch(initial) else None


@remembered(64)
def _parse_body(code: bytes) -> Node:
    return parse_code(_HEAD + code)


class _Body:
    """Walks a function's statements with the values and types of its variables.

    `returns`: its type; None: that of what it returns. A variable's type None: it may only be read.
    """

    def __init__(
        self, scope: ItemScope, values: dict[str, Known], kinds: dict[str, Type | str | None],
        returns: Type | str | None, depth: int,
    ) -> None:  # fmt: skip
        self._values = values
        self._kinds = kinds
        self._returns = returns
        self._scope = CallFrame(scope, values)
        self._depth = depth
        self._left = _LEFT.get() or StepBudget(_MOST_STEPS)
        self._nested = 0
        self._declared: set[str] = set()

    def statement(self, node: Node) -> None:
        self._left.take()
        step = _STEPS.get(node.type)
        if step is None or self._nested > _MOST_NESTED:
            raise _Unknown
        self._nested += 1
        try:
            step(self, node)
        finally:
            self._nested -= 1

    def _evaluate_condition(self, node: Node | None) -> int:
        if node is None:
            raise _Unknown
        code = text(node)
        if node.type in ("condition_clause", "parenthesized_expression"):
            code = code[1:-1]
        return self._number(code)

    def _number(self, code: str) -> int:
        number = evaluate(parse_detached(code), self._scope, self._depth + 1).number
        if number is None:
            raise _Unknown
        return number

    def _made(self, kind: Type | str | None, code: str) -> Known:
        """What an initialiser makes of a variable of that type."""
        make = value_of_any_type if kind is None else partial(initialised_value, kind)
        value = make(code, self._scope, self._depth + 1)
        if value is None:
            raise _Unknown
        return value

    @contextmanager
    def _block_scope(self) -> Iterator[None]:
        """What is declared within hides what was so named before, and ends here."""
        values, kinds = dict(self._values), dict(self._kinds)
        outer, self._declared = self._declared, set()
        try:
            yield
        finally:
            for name in self._declared:
                if name in kinds:
                    self._values[name], self._kinds[name] = values[name], kinds[name]
                else:
                    del self._values[name], self._kinds[name]
            self._declared = outer

    def unit(self, node: Node) -> None:
        body = node.named_children[0].child_by_field_name("body") if node.named_children else None
        if body is None or node.has_error:
            raise _Unknown
        self.statement(body)

    def block(self, node: Node) -> None:
        with self._block_scope():
            for child in node.named_children:
                self.statement(child)

    def nothing(self, node: Node) -> None:
        pass

    def returned(self, node: Node) -> None:
        if not node.named_children:
            raise _Unknown
        raise _Return(self._made(self._returns, text(node.named_children[0])))

    def broken(self, node: Node) -> None:
        raise _Break

    def run_continue(self, node: Node) -> None:
        raise _Continue

    def either(self, node: Node) -> None:
        chosen = self._evaluate_condition(node.child_by_field_name("condition"))
        branch = node.child_by_field_name("consequence" if chosen else "alternative")
        if branch is not None:
            self.statement(branch)

    def switch(self, node: Node) -> None:
        wanted = self._evaluate_condition(node.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        cases = [c for c in body.named_children if c.type == "case_statement"] if body else []
        start = next((i for i, c in enumerate(cases) if self._is_case(c, wanted)), None)
        if start is None:
            start = next((i for i, c in enumerate(cases) if c.child_by_field_name("value") is None), None)
        try:
            with self._block_scope():
                for case in cases[start:] if start is not None else ():
                    label = case.child_by_field_name("value")
                    for child in case.named_children:
                        if child != label:
                            self.statement(child)
        except _Break:
            pass

    def _is_case(self, case: Node, wanted: int) -> bool:
        label = case.child_by_field_name("value")
        return label is not None and self._evaluate_condition(label) == wanted

    def declaration(self, node: Node) -> None:
        if any(child.type == "storage_class_specifier" for child in node.children):
            raise _Unknown
        said = text(node.child_by_field_name("type") or node)
        for declarator in node.children_by_field_name("declarator"):
            name, initial = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("value")
            if declarator.type != "init_declarator" or name is None or name.type != "identifier" or initial is None:
                raise _Unknown
            code = text(initial)
            kind = _variable_type(said, code, self._scope.item_scope)
            value = self._made(kind, f"{{{code[1:-1]}}}" if initial.type == "argument_list" else code)
            label = text(name)
            self._values[label], self._kinds[label] = value, kind
            self._declared.add(label)

    def expression(self, node: Node) -> None:
        if node.named_children:
            self._apply_side_effect(node.named_children[0])

    def _apply_side_effect(self, node: Node) -> None:
        if node.type == "update_expression":
            name, change = node.child_by_field_name("argument"), 1 if b"++" in (node.text or b"") else -1
            self._assign(name, f"({text(name) if name else ''}) + {change}")
        elif node.type == "assignment_expression":
            name, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            operator = text(node.child_by_field_name("operator") or node)
            code = text(right) if right else ""
            if operator != "=":
                code = f"({text(name) if name else ''}) {operator[:-1]} ({code})"
            self._assign(name, code)
        elif not _VOID.fullmatch(text(node)):
            raise _Unknown

    def _assign(self, name: Node | None, code: str) -> None:
        label = text(name) if name is not None else ""
        kind = self._kinds.get(label)
        if kind is None:
            raise _Unknown
        self._values[label] = self._made(kind, code)

    def run_for_loop(self, node: Node) -> None:
        initial = node.child_by_field_name("initializer")
        update, body = node.child_by_field_name("update"), node.child_by_field_name("body")
        with self._block_scope():
            if initial is not None:
                self.statement(initial) if initial.type == "declaration" else self._apply_side_effect(initial)
            self._loop(node.child_by_field_name("condition"), body, update)

    def run_while_loop(self, node: Node) -> None:
        self._loop(node.child_by_field_name("condition"), node.child_by_field_name("body"), None)

    def _loop(self, condition: Node | None, body: Node | None, update: Node | None) -> None:
        while self._evaluate_condition(condition):
            try:
                if body is not None:
                    self.statement(body)
            except _Continue:
                pass
            except _Break:
                return
            if update is not None:
                self._apply_side_effect(update)


_STEPS: Mapping[str, Callable[[_Body, Node], None]] = {
    "translation_unit": _Body.unit,
    "compound_statement": _Body.block,
    "else_clause": _Body.block,
    "comment": _Body.nothing,
    "static_assert_declaration": _Body.nothing,
    "return_statement": _Body.returned,
    "break_statement": _Body.broken,
    "continue_statement": _Body.run_continue,
    "if_statement": _Body.either,
    "switch_statement": _Body.switch,
    "declaration": _Body.declaration,
    "expression_statement": _Body.expression,
    "for_statement": _Body.run_for_loop,
    "while_statement": _Body.run_while_loop,
}
