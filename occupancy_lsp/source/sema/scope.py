"""What names mean where an expression stands: inside an item, in one instance of the templates around it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence, Set
from copy import copy
from functools import cached_property, partial
from itertools import chain
from typing import Self, TypeVar

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import shared
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import is_parenthesised
from occupancy_lsp.source.lex.dialect import given_constant_name
from occupancy_lsp.source.lower.item_facts import Conditions, Definition, Field, Function, TypeDefinition
from occupancy_lsp.source.lower.symbol_table import (
    FoundDefinition,
    LocatedItem,
    conditionally_compiled_texts,
    conditions_at,
    enclosing_function,
    is_subsequence_of_path,
)
from occupancy_lsp.source.lower.variables import ALL_OF_NAMESPACE, RANGES
from occupancy_lsp.source.sema import (
    constexpr_interpreter,
    macro_uses,
    object_members,
    out_parameters,
    pragma_pack,
    scope_levels,
    symbols_by_scope,
    type_traits,
)
from occupancy_lsp.source.sema.builtin_layout import Layout, builtin_layout, keyword_type
from occupancy_lsp.source.sema.constant_evaluation import evaluate, makes_dimensions, type_of
from occupancy_lsp.source.sema.constant_objects import Object, value_of_known
from occupancy_lsp.source.sema.expression_types import size_of_expression
from occupancy_lsp.source.sema.library_names import (
    LibraryName,
    is_read_only_function,
    library_constant,
    library_constructor_member,
)
from occupancy_lsp.source.sema.macro_history import Position
from occupancy_lsp.source.sema.scope_levels import Key, Level, PlacedType
from occupancy_lsp.source.sema.specialization import choose_class_definition
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import (
    Bindings,
    Bound,
    Class,
    Type,
    arithmetic_type,
    field_layout,
    layout_of_operand,
    resolve_type,
    split_path,
)
from occupancy_lsp.source.sema.using_directives import VisibleNamespaces, visible_namespaces
from occupancy_lsp.source.syntax.expression_nodes import (
    GLOBAL,
    UNSET,
    AfterCall,
    Binary,
    BranchTaken,
    Call,
    Conditional,
    ConvertedTo,
    Enumerator,
    Expression,
    MacroOperand,
    Name,
    Number,
    OneOfAssignments,
    OutParameterValue,
    UnreadableExpression,
    literal_from_integer,
)
from occupancy_lsp.source.syntax.expression_parser import NOT_CONSTANT, parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import UNSIGNED_LONG, Integer, IntegerType
from occupancy_lsp.source.syntax.known_value import CIRCLE, UNDEFINED, Place, Value, unknown

Part = tuple[str, tuple[str, ...] | None]
_T = TypeVar("_T")
_DEEPEST = 16  # macros whose values are made of other macros
_WORD = regex(r"[A-Za-z_]\w*")
_UNBOUND: frozenset[tuple[str, Bound]] = frozenset()

# Types of variables that have the value as it is given, or are no numbers.
_KEEPING = frozenset(("auto", "auto&", "auto&&", "decltype(auto)", "dim3", "dim3&", "[]", *RANGES))
_CONVERTING = ("constant", "variable", "narrowed")


def _macro_expression(text: str) -> Expression:
    """The expression that a macro makes."""
    read = parse_detached(text)
    return MacroOperand(read) if isinstance(read, Binary | Conditional) and not is_parenthesised(text) else read


def _converting_type(definition: Definition) -> str:
    """The type of a variable where it may change the value that is given for it."""
    plain = definition.kind not in _CONVERTING or definition.type in _KEEPING
    return "" if plain else definition.type


def _type_as_written(definition: Definition, array: bool) -> str:
    return (definition.array if array else "") or definition.type


def _variable_template_parameters(found: FoundDefinition) -> list[Definition]:
    """Of the variable template that is defined there."""
    at, known = found.definition.start, found.placed.facts.locals.values()
    before = (it for each in known for it in each if it.kind == "parameter" and it.start < at)
    return [it for it in before if it.scope is not None and it.scope.start <= at < it.scope.end]


@dataclass(frozen=True, slots=True)
class AssignmentBranches:
    """The branches within which an assignment stands; `since`: those of them that are left where it is asked for, if
    they alone lead to it."""

    within: tuple[BranchTaken, ...] = ()
    since: tuple[BranchTaken, ...] = ()


@dataclass(frozen=True, slots=True)
class PossibleAssignments:
    """What a local variable may hold: one of `values`, each as it is where it stands; None: anything of its type."""

    type: str
    values: tuple[tuple[Expression, ItemScope], ...] | None
    branches: tuple[AssignmentBranches, ...] = ()  # of each value, where there may be several


class ItemScope:
    """What names mean at `offset` inside an item."""

    braces: tuple[str, ...] = ()  # of an enumeration around it, what decides its type
    expanding: frozenset[str] = frozenset()  # the macros in whose text it stands, which are not expanded in there
    _text_of: int | None = None  # in which slot that text is
    _text_item = -1  # and in which item, whose number is another after an edit

    def __init__(
        self,
        env: Environment,
        placed: LocatedItem,
        offset: int,
        owner: tuple[str, ...] = (),
        bindings: Bindings | None = None,
        origin: int | None = None,
    ) -> None:
        self.env = env
        self.placed = placed
        self.offset = offset
        self.owner = owner
        self.bindings: Bindings = bindings or {}
        self.origin = offset if origin is None else origin  # where the value is asked for

    @property
    def item(self) -> int:
        return self.placed.item

    @property
    def slot_of_text_item(self) -> int:
        return self.placed.slot if self._text_of is None else self._text_of

    @cached_property
    def path(self) -> tuple[str, ...]:
        """The namespaces and classes around it."""
        return self.placed.scope_path(self.owner)

    @property
    def item_scope(self) -> ItemScope:
        """Where no function's own variables are known."""
        return self

    @property
    def builtin_type_family(self) -> str:
        """Whose types are built in, as `Environment.builtins` has it."""
        return self.env.builtin_type_family

    def at(self, offset: int) -> ItemScope:
        return self.moved_within_item(offset, self.bindings)

    def moved_within_item(self, offset: int, bindings: Bindings, origin: int | None = None) -> ItemScope:
        """Elsewhere in the same function."""
        there = ItemScope(self.env, self.placed, offset, self.owner, bindings, origin)
        if bindings is self.bindings:
            there._frozen_bindings = (
                self._frozen_bindings
            )  # which takes longer to make than most of what is asked there
        return there

    def _before(self, offset: int) -> ItemScope:
        """Where a definition in force stands: what is known of a variable at the origin, was so there."""
        origin = self.origin if self.placed.facts.narrows else None
        return self.moved_within_item(offset, self.bindings, origin)

    def with_bindings(self, bindings: Bindings) -> ItemScope:
        return self.moved_within_item(self.offset, bindings)

    def in_expansion(self, names: Set[str], slot: int, item: int = -1) -> Self:
        """In the text of a macro that is expanded here, of which that of each of these names is a part: names mean what
        they mean here. `slot`: where the text stands."""
        inside = copy(self)
        inside.expanding, inside._text_of, inside._text_item = self.expanding | names, slot, item
        return inside

    def within(self, found: Class) -> ItemScope:
        """Inside the class, in its instance."""
        definition = found.definition
        owner = definition.owner if definition.alias is not None and not definition.enum else found.path
        return ItemScope(self.env, found.placed, definition.body.start, owner, found.bindings)

    def given_constant(self, id_: str) -> int | None:
        return self.env.predefined(given_constant_name(id_))

    def literal_override_at(self, place: Place) -> int | None:
        return self.env.overrides.get(place)

    def is_defined(self, name: str) -> bool | None:
        return self.env.is_defined(name, self.placed.order)

    # -- values

    def find(self, name: Name) -> tuple[Expression, ItemScope] | str:
        found = self.look_up(name)
        return found if isinstance(found, str) else self.converted_to_declared_type(*found)

    def look_up(self, name: Name) -> tuple[Expression, ItemScope, str] | str:
        """Like `find`, with the type that the name is declared with, where that may change the value."""
        *outer, label = name.parts
        if not outer:
            local = self._local_definition_in_force(label)
            bound = self.bindings.get(label)
            parameter = local is not None and local.kind == "parameter"
            if parameter and (constant := object_members.integral_constant_value(label, self)) is not None:
                return literal_from_integer(constant), self, ""
            if bound is not None and (local is None or parameter):
                return self._expression_of_binding(label, bound, local)
            if local is not None:
                narrowed = local.kind == "narrowed"  # it speaks of what stood before it, not of itself
                there = self.at(local.start) if narrowed else self._before(local.start)
                if local.kind in _CONVERTING and local.type == "auto" and not local.declares:
                    return ConvertedTo(local.value, self.type_of_auto_variable(label)), there, ""
                return *self._without_enumerator_type(local.value, there), _converting_type(local)
        if label.endswith("]"):
            return NOT_CONSTANT  # an element of an array that is not followed
        if name.arguments and name.arguments[-1] is not None:
            return f"{name} depends on template arguments"
        if outer and (found := self._qualified_member(name.qualifier, label)) is not None:
            return found
        if not outer and self.owner and (inherited := self._inherited_member(label)) is not None:
            return inherited
        candidates = self._visible_definitions(tuple(outer), label)
        given = self.env.predefined(label)
        if candidates and given is not None and self.env.is_predefined(label) is None:
            return f"{name} is defined by some compilers"
        if not candidates:
            if (of_library := self.find_library_constant(name, False)) is not None:
                return Number(of_library.number, 0, 0), self, ""
            return f"{name} {UNDEFINED}" if given is None or outer else (Number(given, 0, 0), self, "")
        chosen = candidates[-1]
        if chosen.is_ifndef_default and self.env.may_be_overridden(label):
            dialect, by = self.env.dialect, "by the host, or by the source before this part"
            return f"{label} may be defined {by if dialect.hosted or dialect.is_program_fragment else 'by the build'}"
        if len(candidates) > 1:
            number = self._number_of_definition(chosen, label)
            if number is None or any(self._number_of_definition(f, label) != number for f in candidates):
                return f"{name} has several definitions"
        if (
            not chosen.definition.owner
            and chosen.definition.kind == "constant"
            and _variable_template_parameters(chosen)
        ):
            return f"{name} depends on template arguments"
        return *self._without_enumerator_type(
            self._expression_of_definition(chosen), self._at(chosen)
        ), _converting_type(chosen.definition)

    def type_of_auto_variable(self, name: str) -> IntegerType | None:
        """The type of a local variable that is declared `auto`: that of its first value."""
        declared = next((it for it in self._locals(name) if it.declares), None)
        return type_of(declared.value, self.at(declared.start)) if declared is not None else None

    def _expression_of_binding(
        self, label: str, bound: Bound, local: Definition | None
    ) -> tuple[Expression, ItemScope, str] | str:
        """Of a template parameter, as the type that it is declared with; of a function's own variable, as it is."""
        if isinstance(bound, Integer):
            return literal_from_integer(bound), self, ""
        if not isinstance(bound, int):
            return f"{label} is not a number"
        said = parse_template_parameter(local.type).type if local is not None else ""
        kind = self.at(local.start).type_named(said) if local is not None and said else None
        return ConvertedTo(Number(bound, 0, 0), kind), self, ""

    def _without_enumerator_type(self, value: Expression, there: ItemScope) -> tuple[Expression, ItemScope]:
        if isinstance(value, Enumerator) and value.deciding == self.braces:
            return value.value, there.scope_within_enumeration(self.braces)
        return value, there

    def scope_within_enumeration(self, deciding: tuple[str, ...]) -> ItemScope:
        """The same place, among the enumerators of that enumeration, which have no common type there yet."""
        inside = copy(self)
        inside.braces = deciding
        return inside

    def _expression_of_definition(self, found: FoundDefinition) -> Expression:
        """What a definition says as an expression: of a macro, that may take those in its text."""
        definition = found.definition
        if definition.kind != "macro" or not (
            isinstance(definition.value, UnreadableExpression) or "#" in definition.type
        ):
            return definition.value
        text = macro_uses.expanded_text(definition.name, self)
        return definition.value if text is None or text == definition.type else _macro_expression(text)

    def _number_of_definition(self, found: FoundDefinition, label: str) -> int | None:
        there, circular = self._at(found), CIRCLE
        key = ("defined", *there.key, label)
        return self.env.remember(
            key, lambda: evaluate(self._expression_of_definition(found), there, depth=8), circular
        ).number

    def converted_to_declared_type(
        self, value: Expression, there: ItemScope, said: str
    ) -> tuple[Expression, ItemScope] | str:
        """The value converted to the type of the variable that has it."""
        if not said:
            return value, there
        if (plain := keyword_type(said.rstrip("&"))) is not None:
            return ConvertedTo(value, plain), there
        kind = resolve_type(said, there)
        if isinstance(kind, str):
            made = parse_if_unparsed(value)
            return (value if isinstance(made, Call) and makes_dimensions(made) else ConvertedTo(value, None)), there
        if kind.pointee is not None:
            return value, there
        if kind.inside is not None and not kind.enum:
            return f"the value of {kind.name}"
        known = arithmetic_type(kind, there)
        return (ConvertedTo(value, known) if known is not None or kind.enum else value), there

    def type_named(self, text: str) -> IntegerType | None:
        """The arithmetic type of that name; None: it is none, or not known."""
        if (plain := keyword_type(text)) is not None:
            return plain
        kind = resolve_type(text, self)
        return arithmetic_type(kind, self) if isinstance(kind, Type) else None

    def type_of_call(self, name: Name, texts: tuple[str, ...], depth: int) -> IntegerType | None:
        """The type of what a macro or function, or a type's name, makes of arguments as written."""
        made = macro_uses.expanded_call(name, texts, self)
        if made is not None:
            return type_of(parse_detached(made[0]), made[1], depth) if not isinstance(made, str) else None
        kind = self.type_named(name.written) if len(texts) < 2 else None
        return kind if kind is not None else constexpr_interpreter.returned_type(name, texts, self)

    preprocesses = False
    may_exceed_64_bits = False

    def _at(self, found: FoundDefinition) -> ItemScope:
        if found.definition.kind == "macro":
            return self.in_expansion({found.definition.name}, found.placed.slot, found.placed.item)
        same = found.placed.item == self.item and bool(found.definition.owner)
        owner = found.definition.owner
        return ItemScope(self.env, found.placed, found.definition.start, owner, self.bindings if same else None)

    def _local_definition_in_force(self, name: str) -> Definition | None:
        """The definition in force at `offset`, or what a test before `origin` told of the value that it gave; None
        where a macro of that name is in force."""
        found = self._last_known_definition(name)
        if found is None:
            return None
        if self.env.macro_history(name) and all(self._macros_in_force(name)):
            return None
        if found.kind == "constant" or isinstance(found.value, UnreadableExpression):
            return found
        macro = self._macro_that_may_change(name)
        return (
            structs.replace(found, value=UnreadableExpression(f"{name} may be changed by {macro}")) if macro else found
        )

    def _macro_that_may_change(self, name: str) -> str | None:
        """A macro in the function's text that may change a variable without being given it."""
        holder = enclosing_function(self.placed.facts, self.offset)
        if holder is None:
            return None
        about, env = (self.item, self.placed.order, holder.body.start), self.env
        none: Sequence[str] = ()

        def macro_names() -> Sequence[str]:
            env.depend_on_item_text(self.item)
            return tuple(it for it in sorted(holder.mentions.names) if env.macro_history(it))

        words = env.remember(("macros named", "", *about), macro_names, none)
        if not words:
            return None
        find = partial(macro_uses.first_macro_changing, name, words, env, self.placed.order)
        return env.remember(("changing macro", *about, name), find, None)

    def _last_known_definition(self, name: str) -> Definition | None:
        """What is told of a local variable by its text and by what is called."""
        found = next(self._local_definitions_in_force(name), None)
        if found is None or found.kind == "narrowed" or self.origin == self.offset:
            return found
        tested: Definition | None = None
        for definition in self.at(self.origin)._local_definitions_in_force(name):
            if definition.kind != "narrowed":
                return tested if definition is found and tested is not None else found
            tested = tested or definition
        return found

    def _local_definitions_in_force(self, name: str) -> Iterator[Definition]:
        """The definitions that hold here, the last first; only the first counts, but for those that are narrowed."""
        for definition in self._locals(name):
            if isinstance(definition.value, OutParameterValue):
                if (found := out_parameters.definition_after_call(definition, self)) is not None:
                    yield found
                continue
            if isinstance(definition.value, AfterCall):
                if self._callee_leaves_variable(definition.value):
                    continue
                given = f"{definition.value.callee.removeprefix('.')}(…)"
                yield structs.replace(definition, value=UnreadableExpression(f"{name} may be changed by {given}"))
                continue
            holds = self.env.holds(definition.conditions, self.placed.order)
            if holds is None and not self._is_compiled_under(definition.conditions):
                yield structs.replace(
                    definition, value=UnreadableExpression(f"{name} is under an #if that may be false")
                )
            elif holds is not False and (found := self._resolve_branch_assignment(definition)) is not None:
                yield found

    def _resolve_branch_assignment(self, definition: Definition) -> Definition | None:
        """Return what an assignment in a branch gives where that is surely taken; None where it surely is not."""
        joined = definition.value
        if not isinstance(joined, OneOfAssignments) or not joined.ways:
            return definition
        taken = [self._is_taken(it) for it in joined.ways]
        if False in taken:
            return None
        return definition if None in taken else structs.replace(definition, value=joined.value, start=joined.start)

    def _is_taken(self, way: BranchTaken) -> bool | None:
        """Return whether a branch is taken; None: not known."""
        scope = self.at(way.tested)
        value = self.env.remember(("taken", *scope.key), lambda: evaluate(way.condition, scope).number, None)
        return None if value is None else bool(value) == way.wanted

    def _callee_leaves_variable(self, given: AfterCall) -> bool:
        """Whether the function leaves the variable as it is, by its text or as one of a library out of sight."""
        *_, label = parts = tuple(given.callee.split("::"))
        order = self.placed.order
        if self.env.callee_leaves_argument(given, order):
            return True
        ours = (
            self.env.has_function(label)
            or self.env.prototypes(label)
            or self.env.possible_function_macros(label, *self.position)
        )
        return not ours and is_read_only_function(parts, self.placed.namespaces, self.visible_namespaces)

    def _is_compiled_under(self, conditions: Conditions) -> bool:
        """Whether the text here is compiled under all of these, or not at all."""
        return any(
            {*conditions} <= {*it} for it in conditions_at(conditionally_compiled_texts(self.placed.facts), self.offset)
        )

    def has_method_called(self, name: str) -> bool:
        """Whether a method of a local variable's is called, other than of one that is const."""
        declared = next((it for it in self._locals(name) if it.declares and it.kind != "narrowed"), None)
        holder = enclosing_function(self.placed.facts, self.offset)
        if declared is None or declared.kind == "constant" or holder is None:
            return False
        self.env.depend_on_item_text(self.item)
        return name in _names_with_method_called(holder)

    def possible_assignments(self, name: str) -> PossibleAssignments | None:
        """All that may have given a local variable or parameter its value; None: there is none of that name."""
        declared = next((it for it in self._locals(name) if it.declares and it.kind != "narrowed"), None)
        if declared is None:
            return None
        bound, parameter = self.bindings.get(name), declared.kind == "parameter"
        held = self._local_definition_in_force(name)
        if held is None or (parameter and held is declared):
            read = parse_template_parameter(declared.type)  # of a template's the text has the name, too
            type_said = read.type if read.name == name and read.type else declared.type
            return PossibleAssignments(type_said, ((Number(bound, 0, 0), self),) if isinstance(bound, int) else None)
        if isinstance(held.value, OneOfAssignments):
            return self._all_assigned_values(declared)
        there = self.at(held.start) if held.kind == "narrowed" else self._before(held.start)
        return PossibleAssignments(
            declared.type, None if isinstance(held.value, UnreadableExpression) else ((held.value, there),)
        )

    def _all_assigned_values(self, declared: Definition) -> PossibleAssignments:
        """What the declaration and all assignments in its scope give a variable."""
        scope, order = declared.scope, self.placed.order
        found: dict[tuple[Expression, int], AssignmentBranches] = {}
        for it in self.placed.facts.locals.get(declared.name, ()):
            within = scope is not None and scope.start <= it.start < scope.end and it.start >= declared.start
            if not within or it.kind == "narrowed" or (held := self.env.holds(it.conditions, order)) is False:
                continue
            joined = it.value if isinstance(it.value, OneOfAssignments) else None
            value, start = (joined.value, joined.start) if joined is not None else (it.value, it.start)
            if isinstance(value, AfterCall) and self._callee_leaves_variable(value):
                continue
            if isinstance(value, AfterCall) or (isinstance(value, UnreadableExpression) and value != UNSET):
                return PossibleAssignments(declared.type, None)
            if value != UNSET:
                known = found.setdefault((value, start), AssignmentBranches())
                if joined is not None:
                    reaches = it.scope is not None and it.start <= self.offset < it.scope.end
                    since = joined.ways if reaches and held is True else known.since
                    found[value, start] = AssignmentBranches(max(known.within, joined.ways, key=len), since)
        values = tuple((value, self.at(start)) for value, start in found)
        return PossibleAssignments(declared.type, values, tuple(found.values()))

    def global_variable_type(self, name: Name) -> tuple[str, ItemScope] | None:
        """The type, as written, of a constant or variable outside of functions; None: it is a macro, or not known."""
        found = [it for it in self.env.definitions(name.parts[-1]) if self._may_be_active(it)]
        if not found or any(it.definition.kind not in ("constant", "variable") for it in found):
            return None
        types = {it.definition.type for it in found}
        return (types.pop() or "int", self._at(found[-1])) if len(types) == 1 else None

    def owns(self, name: str) -> bool:
        """Whether it means a local variable or parameter here."""
        return next(self._locals(name), None) is not None

    def local(self, name: str) -> Definition | None:
        """What a local variable or parameter is here."""
        return self._local_definition_in_force(name)

    def _locals(self, name: str) -> Iterator[Definition]:
        """Those before `offset` whose scope holds it, the last first."""
        known = self.placed.facts.locals.get(name, ())
        for index in range(bisect_right(known, self.offset, key=lambda d: d.start) - 1, -1, -1):
            scope = known[index].scope
            if scope is not None and scope.start <= self.offset < scope.end:
                yield known[index]

    def _qualified_member(self, qualifier: str, label: str) -> tuple[Expression, ItemScope, str] | str | None:
        """The value of a class's or enum's member; None: the qualifier is a namespace."""
        parts = split_path(qualifier)
        if parts is None:
            return None
        kind = resolve_type(qualifier, self)
        if isinstance(kind, Type):
            if kind.constant is not None and label == "value":
                return literal_from_integer(kind.constant), self, ""
            found = self.find_class_member(kind.inside, label) if kind.inside is not None else None
            return found or f"{kind.name}::{label} is not known"
        first = parts[0][0]
        if self.is_parameter(first) or any(given for _, given in parts):
            return f"{qualifier}::{label} depends on template arguments"
        return None

    def find_class_member(
        self, inside: Class, label: str, depth: int = 0
    ) -> tuple[Expression, ItemScope, str] | str | None:
        """A class's or enum's own member, or one of its bases."""
        own = self._own_members(inside, label)
        if len(own) > 1:
            return f"{inside.definition.name}::{label} has several definitions"
        for found in own:
            definition = found.definition
            there = ItemScope(self.env, found.placed, definition.start, definition.owner, inside.bindings)
            return definition.value, there, _converting_type(definition)
        scope = self.within(inside)
        for text in inside.definition.traits.bases if depth < 8 else ():
            said = type_traits.integral_constant_in(split_path(text) or (), scope) if label == "value" else None
            if said is not None:  # as written: its value may be that of another instance, and so on
                return (parse_detached(said[1]), scope, said[0]) if said[1] else None
            base = resolve_type(text, scope)
            if isinstance(base, Type) and base.constant is not None and label == "value":
                return literal_from_integer(base.constant), self, ""
            inner = base.inside if isinstance(base, Type) else None
            if inner is not None and (inherited := self.find_class_member(inner, label, depth + 1)) is not None:
                return inherited
        return None

    def _inherited_member(self, label: str) -> tuple[Expression, ItemScope, str] | str | None:
        """What the name means as a member of a base of a class around this place; None: it is none."""
        for inside in self._enclosing_classes():
            if self._own_members(inside, label):
                return None
            for base in self._bases(inside):
                if (found := self.find_class_member(base, label, 1)) is not None:
                    return found
        return None

    def _enclosing_classes(self) -> Iterator[Class]:
        """The classes in which this place is, from the innermost out, as far as they are in sight."""
        for depth in range(len(self.owner), 0, -1):
            *outer, name = self.owner[:depth]
            same = [
                (s, t)
                for s, t in symbols_by_scope.types_at_path(self.env, name, self.placed.scope_path(tuple(outer)))
                if t.owner == tuple(outer) and s.namespaces == self.placed.namespaces and not t.enum and t.alias is None
            ]
            if len(same) == 1:
                placed, definition = same[0]
                yield Class(placed, definition, self.bindings if placed.item == self.item else {})

    def _bases(self, inside: Class) -> Iterator[Class]:
        """Those of a class, but for those that hang on its template's parameters, in which names are not looked up."""
        definition = inside.definition
        given = {parse_template_parameter(it).name for it in definition.template or ()}
        around = ItemScope(self.env, inside.placed, definition.body.start, definition.owner, inside.bindings)
        for text in definition.traits.bases:
            if given.isdisjoint(_WORD.findall(text)):
                base = resolve_type(text, around)
                if isinstance(base, Type) and base.inside is not None:
                    yield base.inside

    def _member_type(self, inside: Class, label: str, given: tuple[str, ...] | None, depth: int) -> Class | str | None:
        """A class's own type of that name, or one of its bases."""
        found = [
            (s, t)
            for s, t in symbols_by_scope.types_in_item(self.env, label, inside.placed.item)
            if _is_same_placement(s, inside.placed)
            and t.owner[-len(inside.path) :] == inside.path
            and inside.definition.body.start <= t.body.start < inside.definition.body.end
        ]
        own = choose_class_definition(found, label, given, self.within(inside), self, depth)
        if own is not None or depth > _DEEPEST:
            return own
        each = (self._member_type(base, label, given, depth + 1) for base in self._bases(inside))
        return next((it for it in each if it is not None), None)

    def _inherited_type(self, label: str, given: tuple[str, ...] | None, depth: int) -> Class | str | None:
        """What the name means as a type of a base of a class around this place; None: it is none."""
        if not self.env.has_type(label):
            return None
        for inside in self._enclosing_classes():
            if any(t.owner == inside.path for _, t in symbols_by_scope.types_owned_by(self.env, label, inside.path)):
                return None
            for base in self._bases(inside):
                if (found := self._member_type(base, label, given, depth + 1)) is not None:
                    return found
        return None

    def _own_members(self, inside: Class, label: str) -> Sequence[FoundDefinition]:
        """The members of a name in a class's or enum's own body that may hold."""
        body = inside.definition.body
        # An enum's members are those of what holds it, too.
        owners = (inside.path, inside.definition.owner) if inside.definition.enum else (inside.path,)
        return [
            found
            for found in symbols_by_scope.values_in_item(self.env, label, inside.placed.item)
            if _is_same_placement(found.placed, inside.placed)
            and body.start <= found.definition.start < body.end
            and found.definition.owner in owners
            and self.env.holds(found.definition.conditions, found.placed.order) is not False
        ]

    def _visible_definitions(self, outer: tuple[str, ...], label: str) -> Sequence[FoundDefinition]:
        if not self.env.definitions(label):  # as of most names, which are functions' and types'
            return ()
        each = scope_levels.value_levels(self.env, label, self.path, outer)
        depth, found = scope_levels.innermost_visible(each, self.position)
        if not outer and symbols_by_scope.has_object_like_macro(self.env, label):
            macros, surely = self._macros_in_force(label)
            if macros and (surely or not found):
                return macros
            if macros:
                before = [it.before(self.position) for it in each]
                every = before if any(before) else [it.found for it in each]
                return [*macros, *sorted(chain.from_iterable(every), key=scope_levels.position)]
        if outer:
            return found
        if len(found) > 1:
            found = self._definitions_in_this_class(found) or found
        # The innermost class or namespace that has the name, by its own or by a directive, hides those further out.
        imported = [] if self._are_all_definitions(each, label) else self._definitions_by_using_directives(label)
        deepest = max((it for it, _ in imported), default=-1)
        if deepest < depth:
            return found
        others = [f for it, f in imported if it == deepest]
        return others if deepest > depth else [*found, *(it for it in others if it not in found)]

    def _are_all_definitions(self, each: Sequence[Level[FoundDefinition]], label: str) -> bool:
        """Whether no definition of the name is left that a directive could make visible."""
        few = symbols_by_scope.has_few_symbols(self.env, "definitions", label)
        return few and sum(len(it.before(self.position)) for it in each) == len(self.env.definitions(label))

    def _definitions_by_using_directives(self, label: str) -> list[tuple[int, FoundDefinition]]:
        """Those that a `using namespace` before this place makes visible, each as if it stood so deep: in the innermost
        namespace around both the directive and what that names."""
        paths = self.visible_namespaces()
        each = symbols_by_scope.values_at_paths(self.env, label, paths) if paths else ()
        known = (
            (paths.visible_depth_of(f.placed.scope_path(())), f)
            for f in each
            if self._may_be_active(f) and not f.definition.owner
        )
        return [(depth, f) for depth, f in known if depth is not None]

    def visible_namespaces(self) -> VisibleNamespaces:
        """What a `using namespace` before this place may mean."""
        own = [it.value for it in self._locals(ALL_OF_NAMESPACE) if isinstance(it.value, Name)]
        return visible_namespaces(self.env, self.path, self.placed.order, own)

    def _definitions_in_this_class(self, found: Sequence[FoundDefinition]) -> list[FoundDefinition]:
        """Of those, in order, that stand in the class that holds `offset`, not in another of its specialisations."""
        around = [
            t.body
            for t in self.placed.facts.types
            if self.owner and t.name == self.owner[-1] and t.body.start <= self.offset < t.body.end
        ]
        order = self.placed.order
        first = bisect_left(found, order, key=lambda it: it.placed.order) if around else len(found)
        return [
            f
            for f in found[first : bisect_right(found, order, lo=first, key=lambda it: it.placed.order)]
            if f.placed.item == self.item and any(b.start <= f.definition.start < b.end for b in around)
        ]

    @property
    def position(self) -> Position:
        """Where the preprocessor meets it."""
        return self.placed.order, self.offset

    def _macros_in_force(self, label: str) -> tuple[list[FoundDefinition], bool]:
        """The macros without parameters that may be in force, and whether one surely is."""
        if label in self.expanding:
            return [], False
        meanings = self.env.in_force(label, self.position)
        plain = [it for it in meanings if it is not None and isinstance(it.said, Definition)]
        return [FoundDefinition(it.placed, it.said) for it in plain], len(plain) == len(meanings)  # type: ignore[arg-type]

    def sees(self, path: tuple[str, ...], outer: tuple[str, ...]) -> bool:
        """Whether a name at `path` is found from here, written with the qualifier `outer`."""
        return scope_levels.is_path_visible_from(self.path, path, outer)

    def _may_be_active(self, found: FoundDefinition) -> bool:
        conditions = found.placed.conditions + found.definition.conditions
        return self.env.holds(conditions, found.placed.order) is not False

    def remember(self, name: Name, value: Expression, compute: Callable[[], Value]) -> Value:
        # A definition of that name may stand here, and an argument that a parameter of that name is given.
        return self.env.remember(("value", *self.key, str(name), value), compute, CIRCLE)

    @property
    def key(self) -> tuple[object, ...]:
        """Equal keys in one environment: equal meanings."""
        where = self.placed.order, self.offset, self.origin
        text = (self.expanding, self._text_of, self._text_item) if self.expanding else ()
        return self.item, *where, self.owner, self._frozen_bindings, self.braces, *text

    @cached_property
    def _frozen_bindings(self) -> frozenset[tuple[str, Bound]]:
        return shared(frozenset(self.bindings.items())) if self.bindings else _UNBOUND

    def find_library_constant(self, name: Name, call: bool) -> LibraryName | None:
        """What is known of a name that a library for NVIDIA's devices defines, and nothing in sight."""
        found = library_constant(name.parts, self.placed.namespaces, call, self.visible_namespaces)
        ours = found is None or self.env.dialect.never_defines("__CUDACC__") or self.env.has_function(name.parts[-1])
        return None if ours else found

    def library_constructor_argument(self, parts: tuple[str, ...], member: str) -> tuple[int, str] | None:
        """The same of a member of objects of a class: which argument of its constructor, and where that is said."""
        found = library_constructor_member(parts, member, self.placed.namespaces, self.visible_namespaces)
        ours = found is None or self.env.dialect.never_defines("__CUDACC__") or bool(self.env.types(parts[-1]))
        return None if ours else found

    def library_member_argument(self, whole: Name, field: str) -> tuple[Expression, ItemScope, str] | None:
        return object_members.library_member_argument(whole, field, self)

    def call(self, name: Name, texts: tuple[str, ...], depth: int) -> Value:
        """The value of a macro or function whose text shows it, or that is known of a library."""
        if not texts and (of_library := self.find_library_constant(name, True)) is not None:
            return Value(of_library.number)
        made = macro_uses.expanded_call(name, texts, self)
        if isinstance(made, str) or (made is not None and depth > _DEEPEST):
            return unknown(made if isinstance(made, str) else f"the value of {name}(…)")
        if made is not None:
            found = evaluate(parse_detached(made[0]), made[1], depth)
            return Value(found.number, found.reason, type=found.type)
        if not texts and (constant := object_members.integral_constant_value(str(name), self)) is not None:
            return value_of_known(constant, "")
        return constexpr_interpreter.value_of_call(name, texts, self, depth)

    def member(self, whole: Expression, field: str, depth: int) -> Value:
        return object_members.member_value(whole, field, self, depth)

    def held(self, name: Name, depth: int) -> Object | None:
        return object_members.object_of_variable(name, self, depth)

    def made(self, name: Name, texts: tuple[str, ...], depth: int) -> Object | None:
        return object_members.object_of_call(name, texts, self, depth)

    def bare_operator_precedence(self, call: Call) -> int:
        """How tightly the operator binds that a macro with parameters leaves outside of parentheses."""
        return macro_uses.bare_operator_precedence(call, self)

    # -- types

    def bound(self, name: str) -> Bound | None:
        return self.bindings.get(name)

    def is_parameter(self, name: str) -> bool:
        return any(d.kind == "parameter" for d in self._locals(name))

    def macro_text(self, name: str) -> str | None:
        """What a macro in force stands for; None: there is none, or which one is not known."""
        texts = self.macro_texts(name)
        return texts.pop() if len(texts) == 1 else None

    def macro_texts(self, name: str) -> set[str]:
        """What a macro may stand for, if one of its definitions is in force."""
        return {it.definition.type for it in self._macros_in_force(name)[0]}

    def declared(self, name: str, array: bool = False) -> tuple[str, ItemScope] | None:
        """The type of a variable as written, and where that stands. `array`: of an array its own, not a pointer's."""
        for definition in self._locals(name):
            if definition.type:
                return _type_as_written(definition, array), self.at(definition.start)
        found = next((f for f in reversed(self._visible_definitions((), name)) if f.definition.type), None)
        return (_type_as_written(found.definition, array), self._at(found)) if found is not None else None

    def local_declaration_offset(self, name: str) -> int | None:
        """Where the local variable or parameter that a name means here is defined."""
        return next((it.start for it in self._locals(name) if it.declares), None)

    def classes(self, parts: Sequence[Part], depth: int) -> Class | str | None:
        """The class, enum or alias that a path names; text: why it is not known; None: there is none found."""
        *outer, (label, given) = parts
        if [name for name, _ in outer] not in ([], [GLOBAL]):
            prefix = self._class_of_qualifier(outer, depth)
            if isinstance(prefix, str):
                return f"{prefix}::{label}"
            if prefix is not None:
                return self._member_type(prefix, label, given, depth) or f"the size of {prefix.path[-1]}::{label}"
        local = [
            (self.placed, t)
            for t in self.placed.facts.types
            if t.name == label and t.scope is not None and t.scope.start <= self.offset < t.scope.end
            and self.env.holds(t.conditions, self.placed.order) is not False
        ]  # fmt: skip
        if not outer and self.env.dialect.device_only and self._is_tag_and_typedef(label, local):
            return f"the size of {label}"
        if local and not outer:
            unsure = [it for it in local if self.env.holds(it[1].conditions, self.placed.order) is None]
            named = [it for it in local if not it[1].repeats_tag] or local
            return (
                f"the size of {label}"
                if unsure
                else choose_class_definition(named[-1:], label, given, self, self, depth)
            )
        if not outer and self.owner and (inherited := self._inherited_type(label, given, depth)) is not None:
            return inherited
        if not outer and (using := self._local_using_target(label)) is not None:
            *around, _ = using.parts
            return self.classes([*((it, None) for it in around), (label, given)], depth + 1)
        names = tuple(name for name, _ in outer)
        seen, key = self._types_in_sight(label, names)
        if not outer and (found := self._using_declaration_target(label, seen)) is not None:
            *around, _ = found[0].parts
            return found[1].classes([*((it, None) for it in around), (label, given)], depth + 1)
        if seen and not outer and given is None and self._means_builtin_type(label, seen):
            return None
        return choose_class_definition(seen, label, given, self, self, depth, key)

    def _is_tag_and_typedef(self, label: str, local: Sequence[tuple[LocatedItem, TypeDefinition]]) -> bool:
        """Whether the name is both in C, of two types: which one a use means, `struct` says, which is not kept."""
        each = [kind for _, kind in (*local, *self.env.types(label))]
        others = (it for it in each if not it.tag and not it.repeats_tag)
        return any(it.tag for it in each) and any(True for _ in others)

    def _local_using_target(self, label: str) -> Name | None:
        """What a using-declaration in a function makes the name stand for here."""
        found = next(self._locals(label), None)
        return _using_target(found) if found is not None else None

    def _using_declaration_target(
        self, label: str, seen: Sequence[tuple[LocatedItem, TypeDefinition]]
    ) -> tuple[Name, ItemScope] | None:
        """What a using-declaration in a namespace around this place names, deeper than any of the types in sight."""
        every = symbols_by_scope.values_in_scope(self.env, label, self.path, ())
        using = [(it, named) for it in every if (named := _using_target(it.definition)) is not None]
        if not using:
            return None
        deepest = max((len(path) for s, t in seen if self.sees(path := s.scope_path(t.owner), ())), default=-1)
        chosen: tuple[Name, ItemScope] | None = None
        for it, named in using:
            path = it.placed.scope_path(it.definition.owner)
            if len(path) > deepest and self.sees(path, ()) and self._may_be_active(it):
                deepest, chosen = len(path), (named, self._at(it))
        return chosen

    def means_variable(self, label: str) -> bool:
        """Whether the name means a variable here, which hides a class of its own scope or of one further out."""
        if any(it.kind in ("constant", "variable") and not _using_target(it) for it in self._locals(label)):
            return not any(it.name == label and it.scope is not None for it in self.placed.facts.types)
        near = symbols_by_scope.types_in_scope(self.env, label, self.path, ())
        found = self._visible_definitions((), label) if self.env.has_type(label) else []
        variables = [
            f for f in found if f.definition.kind in ("constant", "variable") and not _using_target(f.definition)
        ]
        depth = max((len(f.placed.scope_path(f.definition.owner)) for f in variables), default=-1)
        seen = (s.scope_path(t.owner) for s, t in near)
        return depth >= max((len(path) for path in seen if self.sees(path, ())), default=0)

    def _means_builtin_type(self, label: str, found: Sequence[tuple[LocatedItem, TypeDefinition]]) -> bool:
        """Whether the name is CUDA's own, `uint4`, because nothing makes those of that name visible here."""
        if builtin_layout(label, self.builtin_type_family) is None or self.env.definitions(label):
            return False
        paths, used = {placed.scope_path(kind.owner) for placed, kind in found}, self.visible_namespaces()
        return not any(path in used or self.sees(path, ()) for path in paths)

    def _types_in_sight(self, label: str, names: tuple[str, ...]) -> tuple[Sequence[PlacedType], Key | None]:
        """Those of that name that stand deepest around this place; all, if none does.

        With namespaces before it, `names`, it is none of another: what those lead to may be out of sight. Second is the
        level that has just these.
        """
        if not self.env.types(label):
            return (), None
        for level in scope_levels.type_levels(self.env, label, self.path, names):
            if seen := level.before(self.position):
                return seen, level.key if seen is level.found else None
        return self._types_out_of_sight(label, names), None

    def _types_out_of_sight(self, label: str, names: tuple[str, ...]) -> Sequence[PlacedType]:
        if symbols_by_scope.has_few_symbols(self.env, "types", label):
            return self._types_elsewhere(label, names)
        every = self.env.types(label)
        before = bisect_right(every, self.placed.order, key=lambda it: it[0].order)
        inside = before and every[before - 1][0].order == self.placed.order
        key = "types out of sight", label, names, self.path, before, self.offset if inside else 0
        return self.env.remember(key, lambda: self._types_elsewhere(label, names), ())

    def _types_elsewhere(self, label: str, names: tuple[str, ...]) -> Sequence[PlacedType]:
        """Where none that stands before this place is in sight."""
        around = scope_levels.type_levels(self.env, label, self.path, names)
        active = [it for it in self.env.types(label) if scope_levels.may_be_active(self.env, it)]
        known = [it for it in active if scope_levels.is_visible_at(it, self.position)]
        if not known and around:
            return around[0].found
        known = known or active
        return [(s, t) for s, t in known if is_subsequence_of_path(s.scope_path(t.owner), names)] if names else known

    def _class_of_qualifier(self, outer: Sequence[Part], depth: int) -> Class | str | None:
        """The class before `::`; None: it is a namespace."""
        first, given = outer[0]
        if len(outer) == 1 and given is None and first in self.bindings:
            bound = self.bindings[first]
            inside = bound.inside if isinstance(bound, Type) else None
            return inside or f"the size of {first}"
        if self.is_parameter(first) and first not in self.bindings:
            return f"the size of {first}"
        found = self.classes(outer, depth + 1)
        if isinstance(found, Class) and found.definition.alias is not None and not found.definition.enum:
            text = "::".join(n if g is None else f"{n}<{', '.join(g)}>" for n, g in outer)
            kind = resolve_type(text, self, depth + 1)
            if isinstance(kind, str):
                return kind
            return kind.inside or f"the size of {text}"
        return found

    def size_of(self, operator: str, text: str) -> Value:
        layout = layout_of_operand(text, self)
        if isinstance(layout, str):
            size = size_of_expression(text, self, bool(self.builtin_type_family)) if operator == "sizeof" else None
            return unknown(layout) if size is None else Value(size, type=UNSIGNED_LONG)
        return Value(layout.size if operator == "sizeof" else layout.alignment, type=UNSIGNED_LONG)

    def enumerators(self, definition: TypeDefinition) -> Iterator[Value]:
        """The values of those of an enumeration whose text is here."""
        body, facts = definition.body, self.placed.facts
        for it in sorted((*facts.definitions, *facts.scoped), key=lambda d: d.start):
            listed = it.kind == "constant" and body.start < it.start < body.end
            if listed and self.env.holds(it.conditions, self.placed.order) is not False:
                yield evaluate(it.value, ItemScope(self.env, self.placed, it.start, it.owner, self.bindings))

    def pack_limit(self, offset: int) -> int | None:
        """The most that `#pragma pack` lets a member's alignment count there, 0: no limit; None: not known."""
        return pragma_pack.pack_limit_at(self.env, self.placed, offset)

    def layout_of_field(self, member: Field) -> Layout | str:
        return field_layout(member, self)


def _names_with_method_called(function: Function) -> frozenset[str]:
    """What stands before the dot of a call in the function; it may have as many calls as variables."""
    return function.remembered_answers.ask(
        "names with a method called",
        lambda: frozenset(it.on for it in function.mentions.calls if it.name.startswith(".")),
    )


def _is_same_placement(one: LocatedItem, other: LocatedItem) -> bool:
    """An item of a header that is included again stands in two places."""
    return one.item == other.item and one.order == other.order


def _using_target(definition: Definition) -> Name | None:
    """What a using-declaration names; None: it is none."""
    value = definition.value
    is_one = definition.kind == "constant" and definition.type == "auto" and isinstance(value, Name)
    return value if is_one and isinstance(value, Name) and len(value.parts) > 1 else None
