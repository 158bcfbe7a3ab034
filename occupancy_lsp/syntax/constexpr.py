"""Values of functions whose text shows them: own values only, in few steps; nothing is executed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tree_sitter import Node

from occupancy_lsp.syntax.constants import evaluate
from occupancy_lsp.syntax.expressions import Expression, Name, Number, parse_apart
from occupancy_lsp.syntax.facts import Function
from occupancy_lsp.syntax.names import Standing
from occupancy_lsp.syntax.tree import parse as parse_code
from occupancy_lsp.syntax.tree import text
from occupancy_lsp.syntax.types import Type, resolve_type
from occupancy_lsp.syntax.values import Place, Value, unknown

if TYPE_CHECKING:
    from occupancy_lsp.syntax.scope import ItemScope

_MOST_STEPS = 4000
_DEEPEST = 48
_INTEGERS = frozenset(["int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long"])


class _Unknown(Exception):
    """A step whose outcome the text does not show."""


class _Return(Exception):
    def __init__(self, value: int) -> None:
        self.value = value


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


def value(name: Name, texts: Sequence[str], scope: ItemScope, depth: int) -> Value:
    """Of `name(texts)`."""
    reason = unknown(f"the value of {name}(…)")
    label = name.parts[-1]
    kind = resolve_type(label, scope)
    if isinstance(kind, Type) and len(name.parts) == 1 and kind.name in _INTEGERS and len(texts) == 1:
        return _number(texts[0], scope, depth)
    outer = name.parts[:-1]
    found = [
        (s, f)
        for s, f in scope.env.functions(label)
        if f.takes(len(texts)) and (not outer or (*s.namespaces, *f.owner)[-len(outer) :] == outer)
    ]
    if len(found) != 1 or not found[0][1].shown or depth > _DEEPEST:
        return reason
    return _run(*found[0], name, texts, scope, depth) or reason


def _number(code: str, scope: ItemScope, depth: int) -> Value:
    found = evaluate(parse_apart(code), scope, depth + 1)
    return Value(found.number, found.reason)


def _run(
    standing: Standing, function: Function, name: Name, texts: Sequence[str], scope: ItemScope, depth: int
) -> Value | None:
    from occupancy_lsp.syntax.scope import ItemScope
    from occupancy_lsp.syntax.templates import bind_call

    inside = ItemScope(scope.env, standing, function.body.start, function.owner)
    if function.template:
        given = name.arguments[-1] if name.arguments else None
        inside = inside.with_bindings(bind_call(function, given, texts, scope, inside))
    values: dict[str, int | None] = {}
    for index, parameter in enumerate(function.parameters):
        kind = resolve_type(parameter.type.replace("&", ""), inside)
        whole = isinstance(kind, Type) and (kind.name in (*_INTEGERS, "bool") or kind.enum)
        code, where = (texts[index], scope) if index < len(texts) else (parameter.default or "", inside)
        values[parameter.name] = _number(code, where, depth).number if whole else None
    try:
        _Body(inside, values, depth).statement(_tree(_code(standing, function, scope)))
    except _Return as done:
        return Value(done.value)
    except (_Unknown, _Break, _Continue):
        return None
    return None


def _code(standing: Standing, function: Function, scope: ItemScope) -> bytes:
    """The body without the text whose conditions do not hold; none of it if that is not known."""
    own = len(function.conditions)
    pieces: list[bytes] = []
    for text_of_piece, conditions in function.shown:
        holds = scope.env.holds(conditions[own:], standing.order)
        if holds is None:
            return b""
        pieces += [text_of_piece] if holds else []
    return b"".join(pieces)


@lru_cache(maxsize=64)
def _tree(code: bytes) -> Node:
    return parse_code(b"int f()" + code)


class _LocalScope:
    """The function's own variables before what its names mean outside."""

    def __init__(self, outer: ItemScope, values: dict[str, int | None]) -> None:
        self._outer = outer
        self._values = values
        self.item = outer.item

    def find(self, name: Name) -> tuple[Expression, object] | str:
        label = name.parts[0]
        if len(name.parts) == 1 and label in self._values:
            number = self._values[label]
            return f"the value of {label}" if number is None else (Number(number, 0, 0), self)
        return self._outer.find(name)

    def remember(self, name: Name, compute: Callable[[], Value]) -> Value:
        return compute()  # a variable of the function, which changes

    def call(self, name: Name, texts: tuple[str, ...], depth: int) -> Value:
        known = {label: number for label, number in self._values.items() if number is not None}
        bindings = {**self._outer.bindings, **known}
        return self._outer.with_bindings(bindings).call(name, texts, depth)

    def looseness(self, name: Name) -> int:
        return self._outer.looseness(name)

    def size_of(self, operator: str, code: str) -> Value:
        return self._outer.size_of(operator, code)

    def is_defined(self, name: str) -> bool | None:
        return self._outer.is_defined(name)

    def override(self, place: Place) -> int | None:
        return None


class _Body:
    """Walks a function's statements with the values of its variables."""

    def __init__(self, scope: ItemScope, values: dict[str, int | None], depth: int) -> None:
        self._values = values
        self._scope = _LocalScope(scope, values)
        self._depth = depth
        self._steps = 0

    def statement(self, node: Node) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise _Unknown
        step = _STEPS.get(node.type)
        if step is None:
            raise _Unknown
        step(self, node)

    def _evaluate(self, node: Node | None) -> int:
        if node is None:
            raise _Unknown
        code = node.text or b""
        if node.type in ("condition_clause", "parenthesized_expression"):
            code = code[1:-1]
        number = evaluate(parse_apart(code.decode("utf-8", "replace")), self._scope, self._depth + 1).number  # type: ignore[arg-type]
        if number is None:
            raise _Unknown
        return number

    def unit(self, node: Node) -> None:
        body = node.named_children[0].child_by_field_name("body") if node.named_children else None
        if body is None or node.has_error:
            raise _Unknown
        self.statement(body)

    def block(self, node: Node) -> None:
        for child in node.named_children:
            self.statement(child)

    def nothing(self, node: Node) -> None:
        pass

    def returned(self, node: Node) -> None:
        raise _Return(self._evaluate(node.named_children[0] if node.named_children else None))

    def broken(self, node: Node) -> None:
        raise _Break

    def continued(self, node: Node) -> None:
        raise _Continue

    def either(self, node: Node) -> None:
        chosen = self._evaluate(node.child_by_field_name("condition"))
        branch = node.child_by_field_name("consequence" if chosen else "alternative")
        if branch is not None:
            self.statement(branch)

    def switch(self, node: Node) -> None:
        wanted = self._evaluate(node.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        cases = [c for c in body.named_children if c.type == "case_statement"] if body else []
        start = next((i for i, c in enumerate(cases) if self._is_case(c, wanted)), None)
        if start is None:
            start = next((i for i, c in enumerate(cases) if c.child_by_field_name("value") is None), None)
        try:
            for case in cases[start:] if start is not None else ():
                label = case.child_by_field_name("value")
                for child in case.named_children:
                    if child != label:
                        self.statement(child)
        except _Break:
            pass

    def _is_case(self, case: Node, wanted: int) -> bool:
        label = case.child_by_field_name("value")
        return label is not None and self._evaluate(label) == wanted

    def declaration(self, node: Node) -> None:
        if any(child.type == "storage_class_specifier" for child in node.children):
            raise _Unknown
        for declarator in node.children_by_field_name("declarator"):
            name, initial = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("value")
            if declarator.type != "init_declarator" or name is None or name.type != "identifier":
                raise _Unknown
            self._values[text(name)] = self._evaluate(initial)

    def expression(self, node: Node) -> None:
        if node.named_children:
            self._effect(node.named_children[0])

    def _effect(self, node: Node) -> None:
        if node.type == "update_expression":
            name, change = node.child_by_field_name("argument"), 1 if b"++" in (node.text or b"") else -1
            self._assign(name, self._evaluate(name) + change)
        elif node.type == "assignment_expression":
            name, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            operator = text(node.child_by_field_name("operator") or node)
            if operator == "=":
                self._assign(name, self._evaluate(right))
            else:
                whole = f"({text(name) if name else ''}) {operator[:-1]} ({text(right) if right else ''})"
                read = parse_apart(whole)
                number = evaluate(read, self._scope, self._depth + 1).number  # type: ignore[arg-type]
                if number is None:
                    raise _Unknown
                self._assign(name, number)
        else:
            raise _Unknown

    def _assign(self, name: Node | None, number: int) -> None:
        if name is None or text(name) not in self._values:
            raise _Unknown
        self._values[text(name)] = number

    def for_loop(self, node: Node) -> None:
        initial = node.child_by_field_name("initializer")
        if initial is not None:
            self.statement(initial) if initial.type == "declaration" else self._effect(initial)
        update, body = node.child_by_field_name("update"), node.child_by_field_name("body")
        self._loop(node.child_by_field_name("condition"), body, update)

    def while_loop(self, node: Node) -> None:
        self._loop(node.child_by_field_name("condition"), node.child_by_field_name("body"), None)

    def _loop(self, condition: Node | None, body: Node | None, update: Node | None) -> None:
        while self._evaluate(condition):
            try:
                if body is not None:
                    self.statement(body)
            except _Continue:
                pass
            except _Break:
                return
            if update is not None:
                self._effect(update)


_STEPS: Mapping[str, Callable[[_Body, Node], None]] = {
    "translation_unit": _Body.unit,
    "compound_statement": _Body.block,
    "else_clause": _Body.block,
    "comment": _Body.nothing,
    "return_statement": _Body.returned,
    "break_statement": _Body.broken,
    "continue_statement": _Body.continued,
    "if_statement": _Body.either,
    "switch_statement": _Body.switch,
    "declaration": _Body.declaration,
    "expression_statement": _Body.expression,
    "for_statement": _Body.for_loop,
    "while_statement": _Body.while_loop,
}
