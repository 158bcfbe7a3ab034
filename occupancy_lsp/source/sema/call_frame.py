"""What names mean in a function whose value is worked out: its own variables before what stands around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.sema.constant_evaluation import Scope
from occupancy_lsp.source.sema.constant_objects import Known, Object, initialised_value, value_of_member
from occupancy_lsp.source.sema.types import Type, resolve_type
from occupancy_lsp.source.syntax.expression_nodes import Call, Expression, Name, literal_from_integer
from occupancy_lsp.source.syntax.integer_types import Integer, IntegerType
from occupancy_lsp.source.syntax.known_value import Place, Value

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope


_NOT_KNOWN = Object(Type("a value that is not known"), ())


class CallFrame:
    """`values`: of the function's own variables; None: it has one, and its value is not known."""

    def __init__(self, outside: ItemScope, values: Mapping[str, Known]) -> None:
        self.item_scope = outside
        self._values = values
        self.slot_of_text_item = outside.slot_of_text_item

    @property
    def key(self) -> tuple[object, ...]:
        return (*self.item_scope.key, *self._values.items())

    def find(self, name: Name) -> tuple[Expression, Scope] | str:
        label = name.parts[0]
        if len(name.parts) == 1 and label in self._values:
            value = self._values[label]
            known = literal_from_integer(value) if isinstance(value, Integer) else None
            return f"the value of {label}" if known is None else (known, self)
        return self.item_scope.find(name)

    def remember(self, name: Name, value: Expression, compute: Callable[[], Value]) -> Value:
        return compute()  # a variable of the function, which changes

    def call(self, name: Name, texts: tuple[str, ...], depth: int) -> Value:
        return self._bound().call(name, texts, depth)

    preprocesses = False
    may_exceed_64_bits = False

    def type_named(self, text: str) -> IntegerType | None:
        return self.item_scope.type_named(text)

    def type_of_call(self, name: Name, texts: tuple[str, ...], depth: int) -> IntegerType | None:
        return self._bound().type_of_call(name, texts, depth)

    def scope_within_enumeration(self, deciding: tuple[str, ...]) -> Scope:
        return self.item_scope.scope_within_enumeration(deciding)

    def member(self, whole: Expression, field: str, depth: int) -> Value:
        own = not isinstance(whole, Name) or whole.parts[0] in self._values
        return value_of_member(whole, field, self, depth) if own else self.item_scope.member(whole, field, depth)

    def held(self, name: Name, depth: int) -> Object | None:
        if len(name.parts) == 1 and name.parts[0] in self._values:
            value = self._values[name.parts[0]]
            return value if isinstance(value, Object) else None
        return self.item_scope.held(name, depth)

    def made(self, name: Name, texts: tuple[str, ...], depth: int) -> Object | None:
        return self._bound().made(name, texts, depth)

    def _bound(self) -> ItemScope:
        known = {label: _NOT_KNOWN if value is None else value for label, value in self._values.items()}
        return self.item_scope.with_bindings({**self.item_scope.bindings, **known})

    def bare_operator_precedence(self, call: Call) -> int:
        return self.item_scope.bare_operator_precedence(call)

    def size_of(self, operator: str, code: str) -> Value:
        return self.item_scope.size_of(operator, code)

    def is_defined(self, name: str) -> bool | None:
        return self.item_scope.is_defined(name)

    def given_constant(self, id_: str) -> int | None:
        return self.item_scope.given_constant(id_)

    def literal_override_at(self, place: Place) -> int | None:
        return None


def bind_parameters(
    function: Function, texts: Sequence[str], scope: ItemScope | CallFrame, inside: ItemScope, depth: int
) -> dict[str, Known] | None:
    """What a call with these arguments, as written in `scope`, makes of the parameters; None: it may change them."""
    if any(parameter.alters for parameter in function.parameters):
        return None
    values: dict[str, Known] = {}
    for index, parameter in enumerate(function.parameters):
        kind = resolve_type(parameter.type.replace("&", ""), inside)
        code, where = (texts[index], scope) if index < len(texts) else (parameter.default or "", inside)
        values[parameter.name] = initialised_value(kind, code, where, depth)
    return values
