"""What texts in a function mean, told by the content of all that they name: where that is the same, so is the answer.

What was worked out of a call or a condition holds at other places, too, and after an edit elsewhere in the function.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import frozen
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.record import Record
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import (
    Argument,
    CallSite,
    Definition,
    Field,
    Function,
    ItemFacts,
    TypeDefinition,
    TypeUse,
)
from occupancy_lsp.source.lower.symbol_table import (
    CompiledText,
    LocatedItem,
    conditionally_compiled_texts,
    conditions_at,
)
from occupancy_lsp.source.lower.variables import ALL_OF_NAMESPACE
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings
from occupancy_lsp.source.syntax.expression_nodes import (
    Number,
    OneOfAssignments,
    OutParameterValue,
    UnparsedText,
    UnreadableExpression,
)
from occupancy_lsp.source.syntax.span_set import NestedSpans, SpanSet

_WORD = regex(r"[A-Za-z_]\w*")
_DEEPEST = 50  # definitions that hang on one another


@dataclass(frozen=True, slots=True, eq=False)
class SemanticHashes:
    """Of one function. `conditions`: what each branch's means; `arrays`: the type and the extents of each variable in
    local memory, by where its name stands. What a call means is worked out when somebody asks: of most functions
    nobody does.

    None: that hangs on where it stands.
    """

    conditions: Sequence[Hashable | None]
    arrays: Mapping[int, Hashable | None]
    _reader: Reader | None = None
    _written: frozenset[CallSite] = frozenset()
    _alone: Lock = field(default_factory=Lock)  # threads share what is kept beside a function

    def contains_call(self, site: CallSite) -> bool:
        """Whether the call stands in the function's text; a macro may make others."""
        return site in self._written

    def call(self, site: CallSite) -> Hashable | None:
        """None, too, if a macro makes it."""
        if self._reader is None or not self.contains_call(site):
            return None
        with self._alone:
            return self._reader.remembered_hash_of_call(site)

    def array(self, field: Field) -> Hashable | None:
        """None, too, if it is none of the function's own."""
        return self.arrays.get(field.span.start)


def semantic_hashes(env: Environment, placed: LocatedItem, function: Function) -> SemanticHashes:
    key = ("alike", placed.item, placed.order, function.body.start)
    return env.remember(key, lambda: _remembered_semantic_hashes(env, placed, function), SemanticHashes((), {}))


def _remembered_semantic_hashes(env: Environment, placed: LocatedItem, function: Function) -> SemanticHashes:
    """The same in all units in which the macros that the function uses bring the same of its names."""
    if env.overrides:  # of numbers, by where they stand
        return SemanticHashes([None] * len(function.flow.branches), {})
    brought = _own_names_in_macros(env, placed, function)
    key = "alike", frozen(brought.items())
    return function.remembered_answers.ask(key, lambda: _compute_semantic_hashes(placed, function, brought))


def hash_of_macro_call(env: Environment, placed: LocatedItem, function: Function, site: CallSite) -> Hashable | None:
    """What a call means that a macro makes, filled in, where it stands in the function."""
    reader = _remembered_reader(env, placed, function)
    return reader.remembered_hash_of_call(site) if reader is not None else None


def hash_of_expressions(
    env: Environment, placed: LocatedItem, function: Function, said: Sequence[Argument]
) -> Hashable | None:
    """What expressions in the function may come to, whoever calls it."""
    reader, head = _remembered_reader(env, placed, function), signature_key(placed, function)
    if reader is None or head is None:
        return None
    followed = any(it.start <= function.body.start < it.end for it in placed.facts.followed)
    meanings = [reader.hash_of_expression(it) for it in said]
    return (head, function.specifiers.copied, followed, *meanings) if None not in meanings else None


def _remembered_reader(env: Environment, placed: LocatedItem, function: Function) -> Reader | None:
    """Of what is asked for in each instance of the function."""
    key = ("reader", placed.item, placed.order, function.body.start)
    return env.remember(key, lambda: _reader_unless_overridden(env, placed, function), None)


def _reader_unless_overridden(env: Environment, placed: LocatedItem, function: Function) -> Reader | None:
    """Who reads a function's texts. None: numbers are overridden, by where they stand."""
    return None if env.overrides else _build_reader(placed, function, _own_names_in_macros(env, placed, function))


def _own_names_in_macros(env: Environment, placed: LocatedItem, function: Function) -> Mapping[str, frozenset[str]]:
    """The item's own names that the macros of a function bring, and the parts of a variable."""
    own = _own_names(placed.facts)
    macros = macro_words(env).keys()
    used = function.mentions.names & macros
    inner = names_through_macros(env, used)
    found: dict[str, Set[str]] = {}
    if every := inner & own.all:  # in what a macro makes, the macros of its text stand
        found |= {name: names_through_macros(env, {name}) & own.all for name in used}
        found |= dict.fromkeys((inner & macros) - used, every)
    for it, whole in own.parts:
        found[whole] = found.get(whole, frozenset[str]()) | {it}
    return {name: frozenset(names) for name, names in found.items() if names}


def instance_key(env: Environment, placed: LocatedItem, function: Function, bindings: Bindings) -> Hashable:
    """Equal for functions in which equal texts mean the same, their own names aside."""
    by_place = any(not name.isidentifier() for name in bindings)  # of lambdas
    where = placed.order, placed.namespaces, function.owner, placed.item if by_place else None
    parameters = tuple(it.name for it in function.parameters)
    own = function.name, function.kernel, function.template, parameters, "barrier" in function.mentions.names
    key = ("instance", "", *where, *own, *sorted(bindings.items(), key=lambda it: it[0]))
    return env.remember(key, object, None)


class SignatureKey:
    """All that its item says of a function but for the body, equal by content, which is looked at once."""

    __slots__ = ("_hash", "_said")

    def __init__(self, said: tuple[Hashable, ...]) -> None:
        self._said, self._hash = said, hash(said)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, SignatureKey) and self._hash == other._hash and self._said == other._said
        )

    def __hash__(self) -> int:
        return self._hash


def signature_key(placed: LocatedItem, function: Function) -> SignatureKey | None:
    """Where that is equal, who calls the function means the same.

    None: it is not alone in its item, whose other names its heading may name.
    """
    where = placed.order, placed.namespaces, placed.conditions
    return function.remembered_answers.ask(("heading", *where), lambda: _build_signature_key(placed, function, where))


def _build_signature_key(placed: LocatedItem, function: Function, where: tuple[Hashable, ...]) -> SignatureKey | None:
    if len(placed.facts.functions) > 1:
        return None
    parameters = tuple((it.name, it.type, it.default) for it in function.parameters)
    own = function.owner, function.name, function.kernel, function.template, parameters, function.conditions
    return SignatureKey((*where, *own))


def _compute_semantic_hashes(
    placed: LocatedItem, function: Function, brought: Mapping[str, frozenset[str]]
) -> SemanticHashes:
    reader = _build_reader(placed, function, brought)
    conditions = [reader.text(it.condition.text, it.tested) for it in function.flow.branches]
    arrays = {it.field.span.start: reader.field(it.field) for it in function.memory.arrays}
    return SemanticHashes(conditions, arrays, reader, frozenset(function.mentions.calls))


def _build_reader(placed: LocatedItem, function: Function, brought: Mapping[str, frozenset[str]]) -> Reader:
    types: dict[str, list[TypeDefinition]] = {}
    for it in placed.facts.types:
        if it.scope is not None:
            types.setdefault(it.name, []).append(it)
    facts, text = placed.facts, Span(function.head.start, function.body.end)
    own, tests, known = _own_names(facts).all, _scopes_of_tests_by_variable(facts), conditionally_compiled_texts(facts)
    return Reader(text, facts.locals, types, macros_defined_in_item(facts), own, tests, known, brought)


@dataclass(frozen=True, slots=True)
class _OwnNames:
    """Of an item's variables, types and macros. `parts`: those of parts of a variable, each with that."""

    all: frozenset[str]
    parts: tuple[tuple[str, str], ...]


def _own_names(facts: ItemFacts) -> _OwnNames:
    """The same in each of its functions and instances."""
    return facts.remembered_answers.ask("own names", lambda: _read_own_names(facts))


def _read_own_names(facts: ItemFacts) -> _OwnNames:
    types = (it.name for it in facts.types if it.scope is not None)
    names = frozenset((*facts.locals, *types, *macros_defined_in_item(facts)))
    return _OwnNames(
        names, tuple((it, whole) for it in names if (whole := variable_of_member_or_element(it)) is not None)
    )


def variable_of_member_or_element(name: str) -> str | None:
    """The variable of which `config.gridDim` or `sizes[1]` is a part; None: it is a name of its own."""
    whole = None if name.isidentifier() else _WORD.match(name)
    return whole[0] if whole is not None else None


def macros_defined_in_item(facts: ItemFacts) -> frozenset[str]:
    """The macros that the item defines, each of which is another from there on."""
    plain = (it.name for it in facts.definitions if it.kind == "macro")
    return frozen(
        (*plain, *(it.name for it in facts.directives.macros), *(it.name for it in facts.directives.macro_changes))
    )


def _scopes_of_tests_by_variable(facts: ItemFacts) -> Mapping[str, SpanSet]:
    """By variable, where a test tells more of it than what gave it its value."""
    if not facts.narrows:
        return {}
    found = {name: [it.scope for it in each if it.kind == "narrowed"] for name, each in facts.locals.items()}
    return {name: SpanSet.of(it for it in scopes if it is not None) for name, scopes in found.items() if scopes}


def names_through_macros(env: Environment, names: Set[str]) -> Set[str]:
    """The names in the texts of those of the names that are macros, and in those of macros in these."""
    macros, found = macro_words(env), set[str]()
    todo = names & macros.keys()
    while todo:
        inner = set[str]().union(*(macros[it] for it in todo))
        todo = (inner - found) & macros.keys()
        found |= inner
    return found


def macro_words(env: Environment) -> Mapping[str, frozenset[str]]:
    """By macro, the names in its text."""
    return env.cached_table("macro words", _macro_words, ("macros", "plain macros"))


def _macro_words(env: Environment) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, plain in env.all_object_like_macros():
        found.setdefault(name, set()).update(identifiers_in_text(plain.type))
    for name, macro in env.all_function_like_macros():
        found.setdefault(name, set()).update(macro.names)
    return {name: frozenset(words) for name, words in found.items()}


@remembered(4096)
def identifiers_in_text(text: str) -> frozenset[str]:
    """At the next key nearly all texts are the same."""
    return frozenset(_WORD.findall(text))


class _ByPlace(Exception):
    """Inside the reader only: what a text means hangs on where it stands."""


class _Meaning(NamedTuple):
    """What names say, and those of them, each with where it is looked up, of which some test tells more."""

    said: bytes = b""
    tested: frozenset[tuple[str, int]] = frozenset()


_NOTHING = _Meaning()


def _join_meanings(each: Sequence[_Meaning], between: bytes) -> _Meaning:
    if len(each) == 1:  # as mostly
        return each[0]
    tested = [it.tested for it in each if it.tested]
    return _Meaning(between.join([it.said for it in each]), frozenset().union(*tested))


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """What the texts of a function mean, without the function, beside which it is kept: each would hold the other.

    `locals`, `types`, `defined`: the item's own variables, types and macros; `own`: the names of all. `tests`: by
    variable, where some test tells more of it. `compiled`: under what. `brought`: the names that a macro brings, and
    the parts of a variable.
    """

    function: Span
    locals: Mapping[str, Sequence[Definition]]
    types: Mapping[str, Sequence[TypeDefinition]]
    defined: Set[str]
    own: frozenset[str]
    tests: Mapping[str, SpanSet]
    compiled: Sequence[CompiledText]
    brought: Mapping[str, frozenset[str]]
    # By name, the definitions and where they are in force.
    _holding: dict[str, tuple[Sequence[tuple[int, int, Definition]], NestedSpans[Definition]]] = field(
        default_factory=dict
    )
    _single: dict[str, tuple[int, int, _Meaning]] = field(default_factory=dict)  # the same of those that say one thing
    _within: dict[str, bytes] = field(default_factory=dict)
    _with: dict[int, bytes] = field(default_factory=dict)  # by place, what is compiled only with the text there
    _told: dict[int, _Meaning | None] = field(default_factory=dict)  # by identity; None: it hangs on its place
    _reading: list[Definition | TypeDefinition] = field(default_factory=list)  # each for the one before
    _made: dict[CallSite, Hashable | None] = field(default_factory=dict)

    def text(self, said: bytes, at: int) -> Hashable | None:
        return self._hash_of_text(said, said.decode("utf-8", "replace"), at)

    def call(self, site: CallSite) -> Hashable | None:
        said = site.name, site.on, site.template, site.arguments
        if any(it.startswith("[") for it in site.arguments or ()):  # no lambda is like another
            return None
        text = " ".join((site.name, site.on, *(site.template or ()), *(site.arguments or ())))
        return self._hash_of_text(said, text, site.start)

    def hash_of_expression(self, it: Argument) -> Hashable | None:
        text = (*texts_in_expression(it.value),)
        return self._hash_of_text(text, " ".join(text), it.span.start)

    def remembered_hash_of_call(self, site: CallSite) -> Hashable | None:
        """The same of a call, which is asked for in each instance of the function."""
        if site not in self._made:
            self._made[site] = self.call(site)
        return self._made[site]

    def field(self, it: Field) -> Hashable | None:
        return self._hash_of_field(it, it.span.start)

    def _hash_of_field(self, it: Field, at: int) -> Hashable | None:
        """`at`: where the variable stands of which it is a member, be it of a member."""
        made = it.type.made
        written = made.text if made is not None else it.type.text
        text = (
            written,
            str(it.type.pointer),
            *texts_in_expression(it.extents),
            *it.attributes,
            *texts_in_expression(it.width),
        )
        meanings = [self._hash_of_text(text, " ".join(text), place) for place in sorted({at, it.span.start})]
        if made is not None and (made.traits.bases or made.traits.dynamic or made.enum):
            return None
        fields = made.fields or () if made is not None else ()
        members = [(each.name, each.conditions, each.initial, self._hash_of_field(each, at)) for each in fields]
        if None in meanings or any(meaning is None for *_, meaning in members):
            return None
        own = (made.union, made.attributes, made.traits.pod) if made is not None else None
        return own, *meanings, *members

    def _hash_of_text(self, said: Hashable, text: str, at: int) -> Hashable | None:
        try:
            told = self._meaning_of_names(text, at)
            tested = b"".join([self._meaning_of_tests(*it, at) for it in sorted(told.tested)]) if told.tested else b""
            return said, told.said, tested
        except _ByPlace:
            return None

    def _meaning_of_tests(self, name: str, looked_up: int, at: int) -> bytes:
        """What a test before `at` tells of a variable that has its value before that: of the same, if it is."""
        if looked_up == at or not self.tests[name].holds(at):
            return b""
        there, here = self._definitions_in_scope(name, looked_up), self._definitions_in_scope(name, at)
        same = [next((index for index, it in enumerate(there) if it is one), None) for one in here]
        return repr((same, self._meaning_of_definitions(here, at).said)).encode()

    def _meaning_of_names(self, text: str, at: int) -> _Meaning:
        """What the item's own names in it mean there."""
        words = identifiers_in_text(text)
        own = words & self.own
        for macro in words & self.brought.keys() if self.brought else ():
            own |= self.brought[macro]
        if ALL_OF_NAMESPACE in self.own:
            own |= {ALL_OF_NAMESPACE}
        return _join_meanings([self._meaning_of_name(it, at) for it in sorted(own)], b";") if own else _NOTHING

    def _meaning_of_name(self, name: str, at: int) -> _Meaning:
        if name in self._single:
            start, end, told = self._single[name]
            return told if start <= at < end else _NOTHING
        if name in self.defined:
            raise _ByPlace
        held = self._definitions_in_scope(name, at)
        told = self._meaning_of_definitions(held, at)
        if name in self.types:
            types = [it for it in self.types[name] if it.scope and it.scope.start <= at < it.scope.end]
            told = _join_meanings([*map(self._meaning_of_alias, types), told], b"")
        elif len(held) == len(self._holding[name][0]) == 1 and self._means_same_everywhere(name, held[0]):
            self._single[name] = (*self._holding[name][0][0][:2], told)
        return _Meaning(told.said, told.tested | {(name, at)}) if name in self.tests else told

    def _means_same_everywhere(self, name: str, only: Definition) -> bool:
        """Whether it says the same wherever it is in force: it may be being read for something that hangs on itself."""
        return not self._reading and not only.conditions and name not in self.tests

    def _definitions_in_scope(self, name: str, at: int) -> Sequence[Definition]:
        """The definitions of a name whose scope holds a place."""
        if name not in self._holding:
            if any(it.type == "[]" for it in self.locals.get(name, ())):
                raise _ByPlace
            scoped = ((it, it.scope) for it in self.locals.get(name, ()) if it.scope is not None)
            spans = ((max(it.start, scope.start), scope.end, it) for it, scope in scoped)
            within = [it for it in spans if it[0] < self.function.end and self.function.start < it[1]]
            self._holding[name] = within, NestedSpans(within)
        return self._holding[name][1].all_containing(at)

    def _meaning_of_definitions(self, held: Sequence[Definition], at: int) -> _Meaning:
        """What they say together where they are in force."""
        if not held:
            return _NOTHING
        told = _join_meanings([self._meaning_of_definition(it) for it in held], b"")
        if not any(it.conditions for it in held):
            return told
        return _Meaning(self._compilation_conditions(at) + told.said, told.tested)

    def _compilation_conditions(self, at: int) -> bytes:
        if at not in self._with:
            self._with[at] = repr(conditions_at(self.compiled, at)).encode()
        return self._with[at]

    def _meaning_of_alias(self, it: TypeDefinition) -> _Meaning:
        """Of a type that the item declares: other than of an alias, it is one by where it stands."""
        if it.alias is None or it.alias.made is not None or it.attributes or it.enum or it.template is not None:
            raise _ByPlace
        return self._remember_meaning(it, partial(self._read_alias, it, it.alias))

    def _read_alias(self, it: TypeDefinition, alias: TypeUse) -> _Meaning:
        text = *texts_in_expression(alias), *texts_in_expression(it.extents)
        names = self._meaning_of_names(" ".join(text), it.body.start)
        return _digest((text, it.conditions), names)

    def _meaning_of_definition(self, it: Definition) -> _Meaning:
        return self._told.get(id(it)) or self._remember_meaning(it, partial(self._read_definition, it))

    def _remember_meaning(self, it: Definition | TypeDefinition, read: Callable[[], _Meaning]) -> _Meaning:
        """What hangs on itself, too."""
        if id(it) not in self._told:
            self._told[id(it)] = _Meaning(b"itself")
            self._reading.append(it)
            try:
                if len(self._reading) > _DEEPEST:
                    raise _ByPlace
                self._told[id(it)] = read()
            except _ByPlace:
                self._told[id(it)] = None
            finally:
                self._reading.pop()
        told = self._told[id(it)]
        if told is None:
            raise _ByPlace
        return told

    def _read_definition(self, it: Definition) -> _Meaning:
        if isinstance(it.value, OutParameterValue):
            raise _ByPlace
        text = (*texts_in_expression(it.value),)
        reason = it.value.reason if isinstance(it.value, UnreadableExpression | OneOfAssignments) else ""
        said = it.name, it.kind, it.type, reason, text, it.declares, it.conditions
        names = self._meaning_of_names(" ".join((it.type, *text)), it.start)
        if it.kind == "narrowed" and names.said:  # which say there what no test before tells
            raise _ByPlace
        told = (
            _join_meanings((names, *self._meanings_of_possible_assignments(it.name, it.value)), b"")
            if isinstance(it.value, OneOfAssignments)
            else names
        )
        return _digest(said, told)

    def _meanings_of_possible_assignments(self, name: str, value: OneOfAssignments) -> Iterator[_Meaning]:
        """What all assignments give a variable, and what the conditions of one that is in branches mean."""
        yield self._meaning_of_all_assignments(name)
        for way in value.ways:
            yield self._meaning_of_names(" ".join(texts_in_expression(way.condition)), way.tested)

    def _meaning_of_all_assignments(self, name: str) -> _Meaning:
        """What all assignments give a variable, and which of them stand in the scope of which."""
        told = _join_meanings([self._meaning_of_definition(it) for it in self.locals[name]], b",")
        return _Meaning(self._scope_nesting(name) + told.said, told.tested)

    def _scope_nesting(self, name: str) -> bytes:
        """Of each definition of a variable, which stand in its scope: from the first to the last of them."""
        if name not in self._within:
            every = self.locals[name]
            starts = [it.start for it in every]
            ends = ((it.scope.start, it.scope.end) if it.scope is not None else () for it in every)
            self._within[name] = repr([tuple(bisect_left(starts, it) for it in pair) for pair in ends]).encode()
        return self._within[name]


def _digest(said: object, names: _Meaning) -> _Meaning:
    return _Meaning(blake2b(repr(said).encode() + names.said, digest_size=16).digest(), names.tested)


def texts_in_expression(value: object) -> Iterator[str]:
    """What an expression says, wherever it stands, but for reasons why it says no more."""
    match value:
        case Number(number, suffix=suffix, decimal=decimal):
            yield f"{number}{suffix}" if decimal else f"{number:#x}{suffix}"
        case UnparsedText(text):
            yield text.decode("utf-8", "replace")
        case UnreadableExpression(said=said):
            yield said
        case OneOfAssignments(value=value, ways=ways):
            yield from texts_in_expression((value, *((it.condition, int(it.wanted)) for it in ways)))
        case tuple():
            yield str(len(value))
            for it in value:
                yield from texts_in_expression(it)
        case None | str() | int():
            yield str(value)
        case Record():
            yield type(value).__name__
            for it in structs.astuple(value):
                yield from texts_in_expression(it)
