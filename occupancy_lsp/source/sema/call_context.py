"""What names mean in a function that is called in one place, and in the text that a macro stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Definition, Function
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema import macro_uses
from occupancy_lsp.source.sema.macro_history import Position
from occupancy_lsp.source.sema.scope import ItemScope, Part, PossibleAssignments
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings, Class
from occupancy_lsp.source.syntax.expression_nodes import ConvertedTo, Expression, Name, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.known_value import Place


@dataclass(frozen=True, slots=True)
class BoundArgument:
    """An argument, as written, and where that stands. `value`: as it was read there, with the places of its numbers."""

    text: str
    scope: ItemScope
    value: Expression | None = None


@dataclass(frozen=True, slots=True)
class CallBinding:
    """One call of a function or lambda. `given`: the arguments, by parameter; `declared`: where those stand.

    `around`: of a lambda, the call of the function that it stands in.
    """

    given: Mapping[str, BoundArgument]
    declared: Span
    key: tuple[object, ...]
    around: CallBinding | None = None


def bind_arguments(
    function: Function, arguments: Sequence[str], template: Sequence[str], here: ItemScope, there: ItemScope
) -> Mapping[str, BoundArgument]:
    """What a call gives each parameter: texts that mean what they mean `here`; defaults mean what they mean `there`."""
    found: dict[str, BoundArgument] = {}
    for index, parameter in enumerate(function.parameters):
        if parameter.type == "..." or any("..." in text for text in arguments[: index + 1]):
            break
        if index < len(arguments):
            found[parameter.name] = BoundArgument(arguments[index], here)
        elif parameter.default is not None:
            found[parameter.name] = BoundArgument(parameter.default, there)
    types = " ".join(it.type for it in function.parameters)
    for index, made in enumerate(map(parse_template_parameter, function.template or ())):
        if made.kind == "other" or any("..." in text for text in template[: index + 1]):
            break
        deduced = re.search(rf"\b{made.name}\b", types) is not None
        if index < len(template):
            found.setdefault(made.name, BoundArgument(template[index], here))
        elif made.default is not None and not deduced:
            found.setdefault(made.name, BoundArgument(made.default, there))
    return found


class ScopeInCall(ItemScope):
    """Inside a function, as one call has it."""

    def __init__(
        self,
        env: Environment,
        placed: LocatedItem,
        offset: int,
        owner: tuple[str, ...],
        bindings: Bindings,
        call: CallBinding,
        origin: int | None = None,
    ) -> None:
        super().__init__(env, placed, offset, owner, bindings, origin)
        self.called = call

    def moved_within_item(self, offset: int, bindings: Bindings, origin: int | None = None) -> ItemScope:
        return ScopeInCall(self.env, self.placed, offset, self.owner, bindings, self.called, origin)

    @property
    def key(self) -> tuple[object, ...]:
        around = self.called.around.key if self.called.around is not None else ()
        return (*super().key, *self.called.key, *around)

    def handed(self, name: str) -> BoundArgument | None:
        """What a parameter is given, where it still has that value."""
        found, call = self.local(name), self.called
        if found is None or found.kind != "parameter":
            return None
        while not call.declared.start <= found.start < call.declared.end and call.around is not None:
            call = call.around
        return call.given.get(name) if call.declared.start <= found.start < call.declared.end else None

    def look_up(self, name: Name) -> tuple[Expression, ItemScope, str] | str:
        label = name.parts[0]
        given = self.handed(label) if len(name.parts) == 1 and label not in self.bindings else None
        if given is None:
            return super().look_up(name)
        declared = self.declared(label)
        read = (
            parse_template_parameter(declared[0]) if declared is not None else None
        )  # of a template's the text has the name
        said = "" if declared is None or read is None else read.type if read.name == label else declared[0]
        kind = declared[1].type_named(said.rstrip("&")) if declared is not None and said else None
        value = given.value or parse_detached(given.text)
        return (value if kind is None else ConvertedTo(value, kind)), given.scope, ""

    def possible_assignments(self, name: str) -> PossibleAssignments | None:
        found, given = super().possible_assignments(name), self.handed(name)
        if found is None or given is None or name in self.bindings:
            return found
        return PossibleAssignments(found.type, ((parse_detached(given.text), given.scope),))


class ScopeInExpansion(ItemScope):
    """In the text that a macro stands for, which was read as an item of its own: its variables are that text's, all
    else means what it means where the macro stands, `outer`."""

    def __init__(
        self, outer: ItemScope, placed: LocatedItem, offset: int, text: str, origin: int | None = None
    ) -> None:
        super().__init__(outer.env, placed, offset, outer.owner, outer.bindings, origin)
        self.outer = outer
        self.text = text

    @property
    def item(self) -> int:
        return -1

    @property
    def position(self) -> Position:
        return self.outer.position

    @property
    def slot_of_text_item(self) -> int:
        return -1

    def literal_override_at(self, place: Place) -> int | None:
        return None

    def moved_within_item(self, offset: int, bindings: Bindings, origin: int | None = None) -> ItemScope:
        return ScopeInExpansion(self.outer.with_bindings(bindings), self.placed, offset, self.text, origin)

    @property
    def key(self) -> tuple[object, ...]:
        return (*self.outer.key, self.text, self.offset, self.origin)

    def look_up(self, name: Name) -> tuple[Expression, ItemScope, str] | str:
        label = name.parts[0]
        if self.owns(label):
            return super().look_up(name)
        if self._changes(label):
            return f"{label} may be changed by a macro"
        tested = self._tested(label) if name.parts == (label,) else None
        return (tested.value, self.at(tested.start), "") if tested is not None else self.outer.look_up(name)

    def owns(self, name: str) -> bool:
        return any(it.kind != "narrowed" for it in self._locals(name))

    def _tested(self, name: str) -> Definition | None:
        """What a test in the text tells of a local variable of where the macro stands, which nothing else changes."""
        held = self.outer.local(name)
        if held is None or (isinstance(held.value, UnreadableExpression) and held.value.is_unsteady):
            return None
        places = (self,) if self.origin is None else (self, self.at(self.origin))
        return next((it for there in places for it in there._locals(name)), None)

    def possible_assignments(self, name: str) -> PossibleAssignments | None:
        if self.owns(name):
            return super().possible_assignments(name)
        found = self.outer.possible_assignments(name)
        return PossibleAssignments(found.type, None) if found is not None and self._changes(name) else found

    def _changes(self, name: str) -> bool:
        """Whether the text may give a variable of where the macro stands another value."""
        variable = self.outer.local(name)
        fixed = variable is None or variable.kind == "constant"
        return not fixed and macro_uses.may_change_variable(self.text, name, self.env, self.placed.order)

    def declared(self, name: str, array: bool = False) -> tuple[str, ItemScope] | None:
        return super().declared(name, array) if self.owns(name) else self.outer.declared(name, array)

    def is_parameter(self, name: str) -> bool:
        return super().is_parameter(name) if self.owns(name) else self.outer.is_parameter(name)

    def classes(self, parts: Sequence[Part], depth: int) -> Class | str | None:
        own = any(it.name == parts[0][0] for it in self.placed.facts.types)
        return super().classes(parts, depth) if own else self.outer.classes(parts, depth)
