"""Whether values are seen for which conditions around a place in device code all hold.

`(x & 3) == 7` never does, and compilers know it: they drop what stands under it. So text surely stays only where values
are found for what its conditions are made of with which each comes out as it has to. What the text does not tell may be
anything of its type. Loops are in their first round, but for what the head of a `for` counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import attrgetter, itemgetter

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import EMPTY
from occupancy_lsp.core.record import Alternative
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.built_in_values import (
    CALLED_PLACES,
    DIMENSIONS,
    FUNCTIONS,
    LOADS,
    OF_DIMENSIONS,
    PLACES,
    POSITIVE,
    TRUTHS,
    known_function,
)
from occupancy_lsp.source.kernels.condition_types import (
    MADE_VECTOR,
    VECTOR,
    VECTOR_PARTS,
    names_of_plain_members,
    type_of_element,
    type_of_member,
    type_of_variable,
)
from occupancy_lsp.source.kernels.conditions_around import (
    ConditionAround,
    JumpBefore,
    conditions_of_reaching,
    jumps_before,
    jumps_of,
    passages_left,
)
from occupancy_lsp.source.kernels.sampled_terms import (
    Applied,
    Avoided,
    Both,
    Converted,
    Counted,
    Deferred,
    Fixed,
    Free,
    InRounds,
    Negative,
    Not,
    Repeated,
    Shared,
    Step,
    Term,
    Unknown,
    Value,
    calculated,
    can_all_be_true,
    choice,
    free_of_type,
    rounds_of,
)
from occupancy_lsp.source.kernels.variable_changes import (
    Loop,
    VariableChange,
    arguments_alone,
    initial_in_brackets,
    looks_declared_with_value,
    variable_changes,
)
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.lower.symbol_table import enclosing_function
from occupancy_lsp.source.sema.comparisons import AssumedCondition
from occupancy_lsp.source.sema.constant_evaluation import evaluate, type_of_literal
from occupancy_lsp.source.sema.constexpr_interpreter import returned_type
from occupancy_lsp.source.sema.macro_uses import expanded_call
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.types import Type, resolve_type
from occupancy_lsp.source.syntax.expression_nodes import (
    NOWHERE,
    Binary,
    Call,
    Conditional,
    ConvertedTo,
    Expression,
    MacroOperand,
    Member,
    Name,
    Number,
    SizeOf,
    Unary,
    UnknownObjectPart,
    UnparsedText,
    UnreadableExpression,
)
from occupancy_lsp.source.syntax.expression_parser import converted_text, parse, parse_detached
from occupancy_lsp.source.syntax.integer_types import (
    BOOL,
    INT,
    REAL,
    UNSIGNED,
    UNSIGNED_LONG,
    IntegerType,
    promoted_type,
)

_DEEPEST = 16
_MOST_WORKED_OUT = 160  # times that all conditions around a place are
_MOST_VARIABLES = 100  # that are looked up
_MOST_CHANGES = 24  # of one variable, that are followed
_POINTER = UNSIGNED_LONG
_WORD = regex(r"[A-Za-z_]\w*")
_WORD_IN_BYTES = regex(rb"[A-Za-z_]\w*")
_BODY = attrgetter("body")
_NUMBER = regex(rb"(?<![\w.])\d{1,9}(?![\w.])")
_MOST_NUMBERS = 6
_NUMBERS = {"warpSize": 32, "nullptr": 0, "NULL": 0}
_RECAST = regex(r"(as|convert)_([a-z]+?)(_sat)?(?:_rt[ezpn])?")
_COMPONENTS = "xyzw"
_DESIGNATED = regex(r"\.\s*(\w+)\s*=?\s*(.*)", re.S)
_BRACES = "{}"


@dataclass(frozen=True, slots=True)
class PassedJump:
    """What is not reached, since it would pass over the place: the conditions under which it is reached, and where the
    loops begin that it leaves."""

    ways: Sequence[AssumedCondition]
    left: frozenset[int]


def can_all_hold(conditions: Sequence[AssumedCondition], jumps: Sequence[PassedJump] = ()) -> bool:
    """Return whether values are seen with which all of them come out as they are assumed to, and no jump is reached."""
    reader = _Reader()
    terms = [*(it for condition in conditions for it in reader.conjuncts(condition))]
    terms += [reader.avoided(it, 0) for it in jumps]
    return can_all_be_true([*terms, *reader.also], _MOST_WORKED_OUT)


class _Reader:
    """Makes terms of expressions. `also`: what holds besides, of the rounds of loops. `busy`: the variables that are
    being followed around loops. `left`: the loops that it has rounds of its own of. `held`: variables at places where
    they are what the rounds so far have made of them."""

    def __init__(
        self,
        outer: _Reader | None = None,
        left: frozenset[int] = frozenset(),
        held: Mapping[tuple[str, int], Free] | None = None,
        busy: frozenset[tuple[str, int]] = EMPTY,
    ) -> None:
        self.also: list[Term] = []
        self.busy = busy
        self.counts: dict[int, Free] = {}
        self._outer, self._left, self._held = outer, left, held or {}
        self._free: dict[object, Free] = outer._free if outer is not None else {}
        self._looked_up: list[None] = outer._looked_up if outer is not None else []
        self._known: dict[object, Term] = {}

    def rounds(self, loop: Loop, of: _Variable) -> Free:
        """Return how many rounds of a loop are done, and take note of what let them come about."""
        if self._outer is not None and loop.body not in self._left:
            return self._outer.rounds(loop, of)
        if loop.body not in self.counts:
            made = self.counts[loop.body] = rounds_of(loop.body)
            self.also += of.conditions_of_rounds(loop, made, self)
        return self.counts[loop.body]

    def avoided(self, jump: PassedJump, depth: int) -> Term:
        reader = _Reader(self, jump.left, self._held, self.busy)
        ways = [term for it in jump.ways for term in reader.conjuncts(it, depth)]
        if all(isinstance(it, Unknown) for it in ways):
            return Unknown(BOOL)
        return Avoided([*ways, *reader.also], [*reader.counts.values()])

    def conjuncts(self, it: AssumedCondition, depth: int = 0) -> Iterator[Term]:
        """Yield what has to be true where the condition comes out as it is assumed to."""
        yield from _conjuncts(self.term(_parsed(it.said), it.scope, depth), it.wanted)

    def term(self, said: Expression, scope: ItemScope, depth: int) -> Term:
        """Return an expression as a term; what is not followed may be anything."""
        if depth > _DEEPEST:
            return Unknown(INT)
        part = partial(self.term, scope=scope, depth=depth + 1)
        match said:
            case UnparsedText():
                return part(_parsed(said))
            case MacroOperand(inner):
                return part(inner)
            case ConvertedTo(inner, kind):
                return Converted(part(inner), kind) if kind is not None else part(inner)
            case Number(value):
                return Fixed(value, type_of_literal(said, value, scope) or INT)
            case Name():
                return self._of_name(said, scope, depth)
            case Unary():
                return self._of_unary(said, part(said.operand), scope)
            case Binary("&&" | "||" as operator, left, right):
                return Both(part(left), part(right), operator == "||")
            case Binary(operator, left, right):
                return calculated(operator, part(left), part(right))
            case Conditional(condition, then, otherwise):
                return choice(part(condition), part(then), part(otherwise))
            case SizeOf():
                number = evaluate(said, scope).number
                return Fixed(number, UNSIGNED_LONG) if number is not None else self.anything(said, UNSIGNED_LONG)
            case Member():
                return self._of_member(said, scope, depth)
            case Call():
                return self._of_call(said, scope, depth)
            case UnreadableExpression(real=float(real)):
                return Fixed(real, REAL)
            case UnknownObjectPart((Name(parts=(label,)), *_)):
                kind = type_of_element(label, scope) or INT
                return Unknown(kind) if self._is_private(label, scope) else self.anything(_identity(said), kind)
        return self.anything(_identity(said), INT)

    def anything(self, said: object, kind: IntegerType) -> Free:
        return self._one_of(free_of_type(said, kind))

    def _one_of(self, made: Free) -> Free:
        """Return the same for what is said alike."""
        return self._free.setdefault(made.said, made)

    def _of_unary(self, said: Unary, operand: Term, scope: ItemScope) -> Term:
        match said.operator:
            case "!":
                return Not(operand)
            case "-" | "~" as operator:
                return Negative(operator, operand, promoted_type(operand.type))
            case "cast":
                kind = scope.type_named(said.type)
                return Converted(operand, kind) if kind is not None else operand
            case "real":
                return Converted(operand, REAL)
        return operand

    # -- names

    def _of_name(self, name: Name, scope: ItemScope, depth: int) -> Term:
        value = evaluate(name, scope)
        if value.number is not None:
            return Fixed(value.number, value.type or INT)
        if len(name.parts) > 1:
            return self.anything(name.written, INT)
        label, _, index = name.parts[0].partition("[")
        if index and self._is_private(label, scope):
            return Unknown(type_of_element(label, scope) or INT)
        if index:
            return self.anything(name.parts[0], type_of_element(label, scope) or INT)
        if not scope.owns(label):
            texts = scope.macro_texts(label)
            if len(texts) == 1:
                return self.term(parse_detached(texts.pop()), scope, depth + 1)
            if label in _NUMBERS:
                return Fixed(_NUMBERS[label], INT)
            if self._is_private(label, scope):
                return Unknown(INT)
            return self.anything(label, type_of_variable(label, scope) or INT)
        return self._of_variable(label, scope, depth)

    def _of_variable(self, label: str, scope: ItemScope, depth: int) -> Term:
        key = "variable", label, scope.offset, id(scope.bindings)
        if (held := self._held.get((label, scope.offset))) is not None:
            return held
        if key not in self._known:
            self._looked_up.append(None)
            declared = scope.local_declaration_offset(label)
            self._known[key] = Unknown(type_of_variable(label, scope) or INT)  # while it asks for itself
            self._known[key] = self._of_local_variable(label, declared, scope, depth)
        return self._known[key]

    def _of_local_variable(self, label: str, declared: int | None, scope: ItemScope, depth: int) -> Term:
        holder, (said, _) = enclosing_function(scope.placed.facts, scope.offset), scope.declared(label, True) or ("", 0)
        if said.endswith("]"):
            return self._one_of(Free(("array", label), _POINTER, 1, _POINTER.most))
        kind = type_of_variable(label, scope)
        if len(self._looked_up) > _MOST_VARIABLES:
            return Unknown(kind or INT)
        if holder is None or declared is None or (kind is None and said.rstrip("& ") != "auto"):
            return self.anything((label, declared), kind or (_POINTER if "*" in said else INT))
        scope.env.depend_on_item_text(scope.item)
        found = _Variable(self, label, declared, kind, holder, scope, depth).at_place()
        return found if isinstance(found, Unknown) else Shared(found, found.type)

    # -- members, calls

    def _of_member(self, said: Member, scope: ItemScope, depth: int) -> Term:
        match said:
            case Member(Name(parts=(label,)), "x" | "y" | "z") if label in PLACES and not scope.owns(label):
                return self._one_of(Free(_identity(said), UNSIGNED, *PLACES[label]))
        value = evaluate(said, scope)
        if value.number is not None:
            return Fixed(value.number, value.type or INT)
        return self.member(said.object, said.field, type_of_member(said, scope, 0), scope, depth)

    def member(self, of: Expression, field: str, kind: IntegerType | None, scope: ItemScope, depth: int) -> Term:
        """Return a member of an object. `kind`: its type, if that is known."""
        if depth > _DEEPEST:
            return Unknown(kind or INT)
        of, member = _parsed(of), partial(self.member, field=field, kind=kind, scope=scope, depth=depth + 1)
        match of:
            case MacroOperand(inner):
                return member(inner)
            case Name(parts=(label,)) if scope.owns(label):
                return self._of_own_member(label, field, kind, scope, depth)
            case Conditional(condition, then, otherwise):
                return choice(self.term(condition, scope, depth + 1), member(then), member(otherwise))
            case Binary(operator, left, right) if scope.env.dialect.device_only:  # of vectors
                return calculated(operator, *(self.component(it, field, kind, scope, depth) for it in (left, right)))
            case Call() if of.name.parts[-1] != _BRACES:
                made = expanded_call(of.name, of.texts, scope)
                if isinstance(made, tuple):
                    return self.member(_parsed(UnparsedText(made[0].encode(), 0)), field, kind, made[1], depth + 1)
                return self.made(of, of.name.written, field, kind, scope, depth)
        private = self._is_private(_root(of), scope)
        return Unknown(kind or INT) if private else self.anything((_identity(of), field), kind or INT)

    def component(self, of: Expression, field: str, kind: IntegerType | None, scope: ItemScope, depth: int) -> Term:
        """Return a component of a vector, or a number, which stands for each."""
        of = _parsed(of)
        match of:
            case Name(parts=(label,)):
                declared = scope.declared(label)
                vector = declared is not None and VECTOR.fullmatch(declared[0].rstrip("& ")) is not None
            case Call():
                vector = VECTOR.fullmatch(of.name.parts[-1]) is not None
            case Binary():
                vector = True
            case _:
                vector = False
        return self.member(of, field, kind, scope, depth + 1) if vector else self.term(of, scope, depth + 1)

    def made(self, said: Call, name: str, field: str, kind: IntegerType | None, scope: ItemScope, depth: int) -> Term:
        """Return a member of an object of a type that is given its parts, or that a function returns."""
        part, count = partial(self.term, scope=scope, depth=depth + 1), len(said.arguments)
        vector = MADE_VECTOR.fullmatch(name)
        if vector is not None:
            kind = UNSIGNED if name == "dim3" else VECTOR_PARTS.get(vector[1], kind or INT)
            index, most = _COMPONENTS.find(field), int(vector[2] or 3)
            if index < 0 or len(field) != 1 or (scope.env.dialect.device_only and count not in (1, most)):
                return Unknown(kind)
            if count == 1 and scope.env.dialect.device_only:
                index = 0
            if index < count:
                return Converted(part(said.arguments[index]), kind)
            return Fixed(1 if name == "dim3" else 0, kind)
        found = resolve_type(name, scope)
        if isinstance(found, Type) and found.inside is not None:
            return self._of_aggregate(said, found, field, kind or INT, scope, depth)
        if scope.env.has_function(said.name.parts[-1]) or said.name.parts[-1] == _BRACES:
            return Unknown(kind or INT)
        return self.anything((_identity(said), field), kind or INT)

    def _of_aggregate(self, said: Call, of: Type, field: str, kind: IntegerType, scope: ItemScope, depth: int) -> Term:
        """Return a member of a class without constructors, whose members are numbers."""
        fields = names_of_plain_members(of, scope)
        if fields is None or field not in fields:
            return Unknown(kind)
        named = dict(map(_designated, said.texts))
        if None in named:
            index = fields.index(field)
            if len(named) > 1 or len(said.texts) > len(fields):
                return Unknown(kind)
            text = said.texts[index] if index < len(said.texts) else "0"
        else:
            text = named.get(field, "0")
        return Converted(self.term(parse(text.encode()), scope, depth + 1), kind)

    def _of_own_member(self, label: str, field: str, kind: IntegerType | None, scope: ItemScope, depth: int) -> Term:
        """Return a member of an object of the function's own."""
        made = self.anything((label, scope.local_declaration_offset(label), field), kind or INT)
        holder, declared = enclosing_function(scope.placed.facts, scope.offset), scope.local_declaration_offset(label)
        said = scope.declared(label)
        if holder is None or declared is None:
            return made
        scope.env.depend_on_item_text(scope.item)
        if said is None:
            return Unknown(kind or INT)
        if said[0].rstrip().endswith("*"):
            return Unknown(kind or INT) if self._is_private(label, scope) else made
        if (held := self._held.get((f"{label}.{field}", scope.offset))) is not None:
            return held
        self._looked_up.append(None)
        if len(self._looked_up) > _MOST_VARIABLES:
            return Unknown(kind or INT)
        return _Variable(self, f"{label}.{field}", declared, kind, holder, scope, depth, label, field).at_place()

    def _is_private(self, label: str, scope: ItemScope) -> bool:
        """Return whether it is in memory that only the thread has, or may point there, which is not followed."""
        holder, said = enclosing_function(scope.placed.facts, scope.offset), scope.declared(label, True)
        if holder is None:
            return False
        if said is None or not scope.owns(label):
            return bool(label) and said is None and looks_declared_with_value(holder, label)
        declared = scope.local_declaration_offset(label)
        if declared is not None and declared < holder.body.start:  # a lambda's holder gives it, to all threads
            return False
        shared = {it.field.name for it in holder.memory.arrays}
        if label in shared or any(it.name == label for it in holder.parameters):
            return False
        if not said[0].rstrip("& ").endswith("*"):
            return True
        texts = (it.text for it in variable_changes(holder).of.get(label, ()))
        words = {word.decode() for text in texts for word in _WORD_IN_BYTES.findall(text)} - {label}
        kinds = ((word, scope.declared(word, True)) for word in words if scope.owns(word))
        return any(it is not None and "*" not in it[0] and self._is_private(word, scope) for word, it in kinds)

    def _of_call(self, said: Call, scope: ItemScope, depth: int) -> Term:
        part = partial(self.term, scope=scope, depth=depth + 1)
        name, arguments = said.name.parts[-1], said.arguments
        value = evaluate(said, scope)
        if value.number is not None:
            return Fixed(value.number, value.type or INT)
        made = expanded_call(said.name, said.texts, scope)
        if isinstance(made, tuple):
            return self.term(_parsed(UnparsedText(made[0].encode(), 0)), made[1], depth + 1)
        if len(arguments) == 1 and (kind := scope.type_named(said.name.written)) is not None:
            return Converted(part(arguments[0]), kind)
        recast = _RECAST.fullmatch(name)
        if recast is not None and len(arguments) == 1 and (kind := scope.type_named(recast[2])) is not None:
            plain = recast[1] == "convert" and not recast[3]
            return Converted(part(arguments[0]), kind) if plain else self.anything(_identity(said), kind)
        if name in CALLED_PLACES:
            place = self._one_of(Free(_identity(said), UNSIGNED_LONG, *CALLED_PLACES[name]))
            if name not in OF_DIMENSIONS or len(arguments) != 1:
                return place
            within = calculated("<", Converted(part(arguments[0]), UNSIGNED), Fixed(DIMENSIONS, UNSIGNED))
            return choice(within, place, Fixed(OF_DIMENSIONS[name], UNSIGNED_LONG))
        if (name, len(arguments)) in FUNCTIONS and not scope.env.has_function(name):
            return known_function(name, [*map(part, arguments)])
        if scope.owns(name):
            return self._of_local_lambda(said, scope, depth)
        kind = returned_type(said.name, said.texts, scope)
        if scope.env.has_function(name):
            found = self._of_function(said, scope, [*map(part, arguments)], kind or INT)
            if found is not None:
                return found
        if name in LOADS:
            kinds = (type_of_element(word, scope) for text in said.texts for word in _WORD.findall(text))
            return self.anything(_identity(said), next(filter(None, kinds), INT))
        if name in TRUTHS:
            return self._one_of(Free(_identity(said), INT, 0, 1))
        if name in POSITIVE:
            return self._one_of(Free(_identity(said), REAL, 0.0, float("inf")))
        return self.anything(_identity(said), kind or INT)

    def _of_local_lambda(self, said: Call, scope: ItemScope, depth: int) -> Term:
        """Return what a lambda of the function itself returns, its arguments put in place of their names."""
        holder = enclosing_function(scope.placed.facts, scope.offset)
        found = variable_changes(holder).lambdas.get(said.name.parts[-1]) if holder is not None else None
        if found is None or len(found.parameters) != len(said.texts):
            return self.anything(_identity(said), INT)
        given = dict(map(_parameter_with_argument, found.parameters, said.texts))
        text = _WORD.sub(lambda match: given.get(match[0], match[0]), found.value)
        return self.term(_parsed(UnparsedText(text.encode(), NOWHERE)), scope, depth + 1)

    def _of_function(self, said: Call, scope: ItemScope, of: Sequence[Term], kind: IntegerType) -> Term | None:
        """Return what a function in sight makes of its arguments, if its text shows that of numbers."""

        known: dict[tuple[Value, ...], Value | None] = {}

        def work(*values: Value) -> Value | None:
            if values not in known:
                whole = not any(isinstance(it, float) for it in values)
                known[values] = scope.call(said.name, tuple(map(str, values)), 0).number if whole else None
            return known[values]

        if work(*(1 for _ in of)) is None:
            return None
        function = next((it for _, it in scope.env.functions(said.name.parts[-1])), None)
        numbers = _NUMBER.findall(function.texts.device_code) if function is not None else ()
        return Applied(work, tuple(of), kind, tuple(map(int, numbers[:_MOST_NUMBERS])))


_Placed = tuple[int, VariableChange]  # where in the order of what runs
_Conditional = tuple[VariableChange, Sequence[ConditionAround | JumpBefore]]


@dataclass(frozen=True, slots=True)
class _Variable:
    """A local variable where `scope` is: what it holds there, by what changes it in the text before."""

    reader: _Reader
    label: str
    declared: int
    kind: IntegerType | None
    holder: Function
    scope: ItemScope
    depth: int
    whole: str = ""  # of a member, the object, and its own name
    field: str = ""

    def at_place(self) -> Term:
        each = [*self._changes()]
        if self._is_changed_under_other_names() or len(each) > _MOST_CHANGES or self._may_change_out_of_sight():
            return self._unknown()
        placed = sorted(((self._place(it), it) for it in each), key=itemgetter(0))
        loop = self._loop_around([place for place, _ in placed if place >= self.scope.offset])
        return self._repeated(loop, placed) if loop is not None else self._left_by(placed)

    def _unknown(self) -> Term:
        return Unknown(self.kind or INT)

    def _changes(self) -> Iterator[VariableChange]:
        of, name = variable_changes(self.holder).of, self.whole or self.label
        if all(it.name != name for it in self.holder.parameters):
            initial = initial_in_brackets(self.holder, self.declared, name)
            yield from (initial,) if initial is not None else ()
        yield from (it for it in of.get(self.label, ()) if self._is_of_this(it, name))
        if self.whole:
            yield from (it for it in of.get(self.whole, ()) if self._is_of_this(it, name))

    def _is_of_this(self, change: VariableChange, name: str) -> bool:
        """Return whether no later declaration of the name hides the variable there."""
        if change.start < self.declared:
            return False
        declared = self.scope.at(change.start).local_declaration_offset(name)
        return declared is None or declared <= self.declared

    def _is_of_whole(self, change: VariableChange) -> bool:
        return bool(self.whole) and change not in variable_changes(self.holder).of.get(self.label, ())

    def _is_changed_under_other_names(self) -> bool:
        """Return whether parts of a vector are given values by other names of components."""
        changed = (it for it in variable_changes(self.holder).of if it.startswith(f"{self.whole}."))
        return (
            bool(self.whole)
            and self.scope.env.dialect.device_only
            and any(_components(it.partition(".")[2]) & _components(self.field) for it in changed if it != self.label)
        )

    def _may_change_out_of_sight(self) -> bool:
        """Return whether it may change in ways that are not followed, as through a pointer or another name."""
        name = self.whole or self.label
        shared = variable_changes(self.holder).shared.get(name, 0)
        sites = arguments_alone(self.holder).get(name, ())
        away = [it for it in sites if it.address and not self.scope.env.has_function(it.callee)]
        if shared > len(away):
            return True
        each = ((it, function) for it in sites if not it.address for _, function in self.scope.env.functions(it.callee))
        return any(function.parameters[it.index].alters for it, function in each if it.index < len(function.parameters))

    def _place(self, change: VariableChange) -> int:
        """Return where a change is made: the step of a `for`, at the end of its body."""
        for it in variable_changes(self.holder).loops:
            if it.step.start <= change.start < it.step.end:
                return max(self._end(it) - 1, it.body)
        return change.start

    def _end(self, loop: Loop) -> int:
        return self._ends.get(loop.body, -1)

    @property
    def _ends(self) -> Mapping[int, int]:
        """Where bodies of loops end, by where they begin."""
        passages = self.holder.flow.passages
        return self.holder.remembered_answers.ask("ends", lambda: {it.span.start: it.span.end for it in passages})

    def _loop_around(self, later: Sequence[int]) -> Loop | None:
        """Return the innermost loop around that makes changes further down."""
        around = (it for it in variable_changes(self.holder).loops if it.body < self.scope.offset < self._end(it))
        changing = (it for it in around if any(place < self._end(it) for place in later))
        return max(changing, key=_BODY, default=None)

    def _left_by(self, placed: Sequence[_Placed]) -> Term:
        """Return what the last of the changes before the place leaves, or the others where that is passed over."""
        at, changes = self.scope.offset, variable_changes(self.holder)
        before = [it for it in placed if it[0] < at]
        if not before:
            return self._at_first()
        place, change = before.pop()
        if any(it.start <= place < it.end and not it.start <= at < it.end for it in changes.others):
            return self._unknown()
        past = (it for it in changes.loops if it.body <= place < self._end(it) <= at)
        if (loop := min(past, key=_BODY, default=None)) is not None:
            return self._repeated(loop, placed)
        around = {it.number for it in conditions_of_reaching(self.holder, at)}
        runs: list[ConditionAround | JumpBefore] = [
            *(it for it in conditions_of_reaching(self.holder, change.start) if it.number not in around),
            *(it for it in jumps_before(self.holder, change.start) if not it.passed.start <= at < it.passed.end),
        ]
        left = self._left_by(before) if runs or change.operator else None
        return self._after(change, runs, Shared(left, left.type) if left is not None else None, self.reader)

    def _at_first(self) -> Term:
        """Return what it is before all changes: nothing is known of it unless its type says so."""
        own = bool(self.whole) and all(it.name != self.whole for it in self.holder.parameters)
        kind = resolve_type(self._type_name(), self.scope) if own else None
        if isinstance(kind, Type) and kind.inside is not None and names_of_plain_members(kind, self.scope) is None:
            return self._unknown()
        return self.reader.anything((self.label, self.declared, "at first"), self.kind or INT)

    def _type_name(self) -> str:
        declared = self.scope.declared(self.whole)
        return declared[0].rstrip("& ") if declared is not None else ""

    def _after(
        self, change: VariableChange, runs: Sequence[ConditionAround | JumpBefore], left: Term | None, reader: _Reader
    ) -> Term:
        value = self._text_of(change, reader)
        if change.operator and left is not None:
            value = calculated(change.operator, left, value)
        given = Converted(value, self.kind) if self.kind is not None else value
        return choice(self._all_hold(runs, reader), given, left) if runs and left is not None else given

    def _text_of(self, change: VariableChange, reader: _Reader) -> Term:
        said, scope = _parsed(UnparsedText(change.text, change.start)), self.scope.at(change.start)
        if self._is_of_whole(change):
            return self._member_given(said, change, scope, reader)
        if isinstance(said, Call) and said.name.parts[-1] == _BRACES and len(said.arguments) < 2:  # `int k = {3}`
            said = said.arguments[0] if said.arguments else Number(0, NOWHERE, NOWHERE)
        return reader.term(said, scope, self.depth + 1)

    def _member_given(self, said: Expression, change: VariableChange, scope: ItemScope, reader: _Reader) -> Term:
        """Return what the member is given with the whole object."""
        if change.operator and not scope.env.dialect.device_only:
            return self._unknown()
        if change.text.startswith(b"(") and change.start == self.declared + len(self.whole):  # `dim3 d(x, y)`
            said = parse(self._type_name().encode() + change.text, base=change.start)
        if isinstance(said, Call) and said.name.parts[-1] == _BRACES:
            return reader.made(said, self._type_name(), self.field, self.kind, scope, self.depth + 1)
        if scope.env.dialect.device_only:
            return reader.component(said, self.field, self.kind, scope, self.depth + 1)
        return reader.member(said, self.field, self.kind, scope, self.depth + 1)

    def _all_hold(self, each: Sequence[ConditionAround | JumpBefore], reader: _Reader) -> Term:
        return _all(term for it in each for term in self._terms(it, reader))

    def _terms(self, it: ConditionAround | JumpBefore, reader: _Reader) -> Iterator[Term]:
        if isinstance(it, ConditionAround):
            yield from reader.conjuncts(self._assumed(it), self.depth + 1)
        else:
            left = passages_left(self.holder, it, self.scope.offset)
            yield reader.avoided(PassedJump([*map(self._assumed, it.ways)], left), self.depth + 1)

    def _assumed(self, it: ConditionAround) -> AssumedCondition:
        return AssumedCondition(it.condition, self.scope.at(it.at), it.wanted)

    # -- loops

    def _repeated(self, loop: Loop, placed: Sequence[_Placed]) -> Term:
        """Return what rounds of a loop make of it, up to the place if that stands in the loop."""
        at, end = self.scope.offset, self._end(loop)
        inside = [it for it in placed if loop.body <= it[0] < end]
        if any(it.field.name == self.label for it in self.holder.memory.arrays):  # which other threads change, too
            return self.reader.anything((self.label, self.declared, "shared"), self.kind or INT)
        known, past = self._before(placed, loop.body if at >= end else at), at >= end
        if (self.label, self.declared) in self.reader.busy or self._changes_in_inner_loop(loop, inside):
            return self._unknown() if past else known()
        rounds, start = self.reader.rounds(loop, self), self._before(placed, loop.body)
        changes = [(change, self._conditions_within(loop, change)) for _, change in inside]
        if len(changes) == 1 and self._is_same_each_time(*changes[0]):
            step = self._text_of(changes[0][0], self.reader)
            return Counted(start(), changes[0][0].operator, step, rounds, self.kind or start().type)
        first = known()
        held = free_of_type((self.label, self.declared, "held"), self.kind or first.type)
        steps = Deferred(partial(self._steps, changes, held))
        lead = 0 if past else sum(place < at for place, _ in inside)
        return Repeated(first, start, steps, lead, held, rounds, held.type)

    def _before(self, placed: Sequence[_Placed], end: int) -> Deferred[Term]:
        return Deferred(lambda: self._left_by([it for it in placed if it[0] < end]))

    def _steps(self, changes: Sequence[_Conditional], held: Free) -> Sequence[Step]:
        tested = (way.at for _, runs in changes for it in runs for way in _ways_of(it))
        places = frozenset((self.label, at) for at in (*(it.start for it, _ in changes), *tested))
        busy = self.reader.busy | {(self.label, self.declared)}
        reader = _Reader(self.reader, held=dict.fromkeys(places, held), busy=busy)
        return [Step(self._all_hold(runs, reader), self._after(change, (), held, reader)) for change, runs in changes]

    def _changes_in_inner_loop(self, loop: Loop, inside: Sequence[_Placed]) -> bool:
        changes = variable_changes(self.holder)
        inner = [*(Span(it.body, self._end(it)) for it in changes.loops), *changes.others]
        return any(loop.body < it.start <= place < it.end for it in inner for place, _ in inside)

    def conditions_of_rounds(self, loop: Loop, rounds: Free, reader: _Reader) -> Iterator[Term]:
        """Yield what holds where so many rounds of a loop are done, and another is run if the place is in it."""
        past = self.scope.offset >= self._end(loop)
        if loop.condition.strip():
            goes_on = Deferred(partial(self._goes_on, loop, reader))
            yield InRounds(goes_on, rounds, not past)
            if past:
                yield Not(goes_on())
        elif past:
            yield Unknown(BOOL)
        for it in jumps_of(self.holder):
            if loop.body < it.start < self._end(loop) <= it.passed.end:
                yield InRounds(Deferred(partial(self._all_hold, (it,), reader)), rounds, False)

    def _goes_on(self, loop: Loop, reader: _Reader) -> Term:
        said = UnparsedText(loop.condition, loop.tested)
        return _all(reader.conjuncts(AssumedCondition(said, self.scope.at(loop.body + 1), True), self.depth + 1))

    def _conditions_within(self, loop: Loop, change: VariableChange) -> Sequence[ConditionAround | JumpBefore]:
        around = (it for it in conditions_of_reaching(self.holder, change.start) if it.span.start > loop.body)
        return [*around, *(it for it in jumps_before(self.holder, change.start) if it.start > loop.body)]

    def _is_same_each_time(self, change: VariableChange, runs: Sequence[ConditionAround | JumpBefore]) -> bool:
        """Return whether it is an operator with what no loop changes."""
        words = {it.decode() for it in _WORD_IN_BYTES.findall(change.text)}
        return bool(change.operator) and not runs and words.isdisjoint(variable_changes(self.holder).of)


def _root(of: Expression) -> str:
    """Return the name of the object or pointer that a member or element is of in the end."""
    while isinstance(of, (Member, UnknownObjectPart)):
        of = of.object if isinstance(of, Member) else of.parts[0]
    return of.parts[0].partition("[")[0] if isinstance(of, Name) else ""


def _components(field: str) -> frozenset[str]:
    """Return the components of a vector that a member names; of what names several, any."""
    if len(field) == 1 and field in _COMPONENTS:
        return frozenset(field)
    if len(field) == 2 and field[0] in "sS" and field[1] in "0123":
        return frozenset(_COMPONENTS[int(field[1])])
    return frozenset(field) if set(field) <= set(_COMPONENTS) else frozenset(_COMPONENTS)


def _designated(text: str) -> tuple[str | None, str]:
    """Return the member that an initial value is for, if it names one, and the value."""
    found = _DESIGNATED.fullmatch(text.strip())
    return (found[1], found[2]) if found is not None else (None, text)


def _ways_of(it: ConditionAround | JumpBefore) -> Sequence[ConditionAround]:
    return (it,) if isinstance(it, ConditionAround) else it.ways


def _all(terms: Iterable[Term]) -> Term:
    each = [*terms]
    return reduce(partial(Both, either=False), each) if each else Fixed(1, BOOL)


def _parameter_with_argument(parameter: tuple[str, str], argument: str) -> tuple[str, str]:
    kind, name = parameter
    return name, converted_text(kind, argument)


def _conjuncts(term: Term, wanted: bool) -> Iterator[Term]:
    """Yield what all has to be true for a term to come out so."""
    if isinstance(term, Not):
        yield from _conjuncts(term.of, not wanted)
    elif isinstance(term, Both) and term.either is not wanted:
        yield from _conjuncts(term.left, wanted)
        yield from _conjuncts(term.right, wanted)
    else:
        yield term if wanted or isinstance(term, Unknown) else Not(term)


def _parsed(said: Expression) -> Expression:
    """Return an expression with what pointers point to as members."""
    if isinstance(said, UnparsedText):
        return parse(said.text.replace(b"->", b". "), base=said.base)
    return said


def _identity(said: object) -> object:
    """Return what tells an expression apart, wherever it stands."""
    match said:
        case Number(value):
            return value
        case tuple():
            return tuple(map(_identity, said))
        case Alternative():
            return type(said).__name__, *(_identity(getattr(said, it)) for it in said.__struct_fields__)
    return said
