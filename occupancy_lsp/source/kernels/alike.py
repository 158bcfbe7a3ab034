"""What texts in a function mean, told by the content of all that they name: where that is the same, so is the answer.

What was worked out of a call or a condition holds at other places, too, and after an edit elsewhere in the function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from functools import partial
from hashlib import blake2b

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.facts.definitions import ALL_OF_NAMESPACE
from occupancy_lsp.source.facts.facts import CallSite, Definition, Field, Function, TypeDefinition, TypeUse
from occupancy_lsp.source.facts.names import PlacedItem
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.types import Bindings
from occupancy_lsp.source.text.expressions import GivenBack, Joined, Number, Opaque, Unread

_WORD = re.compile(r"[A-Za-z_]\w*")
_DEEPEST = 50  # definitions that hang on one another


@dataclass(frozen=True, slots=True)
class Alike:
    """Of one function. `calls`: what each call that is written means; `conditions`: each branch's; `arrays`: the type
    and the extents of each variable in local memory, by where its name stands.

    None: that hangs on where it stands.
    """

    calls: Mapping[CallSite, Hashable | None]
    conditions: Sequence[Hashable | None]
    arrays: Mapping[int, Hashable | None]
    _reader: _Reader | None = field(default=None, compare=False, repr=False)
    _made: dict[CallSite, Hashable | None] = field(default_factory=dict, compare=False, repr=False)

    def call(self, site: CallSite) -> Hashable | None:
        """None, too, if a macro makes it."""
        return self.calls.get(site)

    def made(self, site: CallSite) -> Hashable | None:
        """Of a call that a macro makes, filled in, where it stands."""
        if site not in self._made:
            self._made[site] = self._reader.call(site) if self._reader is not None else None
        return self._made[site]

    def array(self, field: Field) -> Hashable | None:
        """None, too, if it is none of the function's own."""
        return self.arrays.get(field.span.start)


def alike(env: Environment, placed: PlacedItem, function: Function) -> Alike:
    key = ("alike", placed.item, placed.order, function.body.start)
    return env.remember(key, lambda: _alike(env, placed, function), Alike({}, (), {}))


def _alike(env: Environment, placed: PlacedItem, function: Function) -> Alike:
    """The same in all units in which the macros that the function uses bring the same of its names."""
    if env.overrides:  # of numbers, by where they stand
        return Alike({}, [None] * len(function.branches), {})
    own = {it.name for it in placed.facts.types if it.scope is not None} | placed.facts.locals.keys()
    macros = _macros(env).keys()
    used = function.names & macros
    found = {name: in_macros(env, {name}) & own for name in used}
    inner = in_macros(env, used)
    if every := inner & own:  # in what a macro makes, the macros of its text stand
        found |= dict.fromkeys((inner & macros) - used, every)
    for it in own:
        if not it.isidentifier() and (whole := _WORD.match(it)) is not None:  # `config.gridDim`, `sizes[1]`
            found[whole[0]] = found.get(whole[0], frozenset[str]()) | {it}
    brought = {name: frozenset(inner) for name, inner in found.items() if inner}
    key = "alike", bool(used), frozenset(brought.items())
    return function.beside.ask(key, lambda: _read(placed, function, brought, bool(used)))


def instance(env: Environment, placed: PlacedItem, function: Function, bindings: Bindings) -> Hashable:
    """Equal for functions in which equal texts mean the same, their own names aside."""
    by_place = any(not name.isidentifier() for name in bindings)  # of lambdas
    where = placed.order, placed.namespaces, function.owner, placed.item if by_place else None
    parameters = tuple(it.name for it in function.parameters)
    own = function.name, function.kernel, function.template, parameters, "barrier" in function.names
    key = ("instance", "", *where, *own, *sorted(bindings.items(), key=lambda it: it[0]))
    return env.remember(key, object, None)


class Heading:
    """All that its item says of a function but for the body, equal by content, which is looked at once."""

    __slots__ = ("_hash", "_said")

    def __init__(self, said: tuple[Hashable, ...]) -> None:
        self._said, self._hash = said, hash(said)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Heading) and self._hash == other._hash and self._said == other._said)

    def __hash__(self) -> int:
        return self._hash


def heading(placed: PlacedItem, function: Function) -> Heading | None:
    """Where that is equal, who calls the function means the same.

    None: it is not alone in its item, whose other names its heading may name.
    """
    where = placed.order, placed.namespaces, placed.conditions
    return function.beside.ask(("heading", *where), lambda: _heading(placed, function, where))


def _heading(placed: PlacedItem, function: Function, where: tuple[Hashable, ...]) -> Heading | None:
    if len(placed.facts.functions) > 1:
        return None
    parameters = tuple((it.name, it.type, it.default) for it in function.parameters)
    own = function.owner, function.name, function.kernel, function.template, parameters, function.conditions
    return Heading((*where, *own))


def _read(placed: PlacedItem, function: Function, brought: Mapping[str, frozenset[str]], more: bool) -> Alike:
    """`more`: whether macros may make further calls."""
    types: dict[str, list[TypeDefinition]] = {}
    for it in placed.facts.types:
        if it.scope is not None:
            types.setdefault(it.name, []).append(it)
    own = frozenset(placed.facts.locals) | frozenset(types)
    reader = _Reader(placed.facts.locals, types, function.head.start, function.body.end, brought, own)
    calls = {site: reader.call(site) for site in function.calls}
    conditions = [reader.text(it.condition.text, it.span.start) for it in function.branches]
    arrays = {it.field.span.start: reader.field(it.field) for it in function.arrays}
    return Alike(calls, conditions, arrays, reader if more else None)


def in_macros(env: Environment, names: Set[str]) -> Set[str]:
    """The names in the texts of those of the names that are macros, and in those of macros in these."""
    macros, found = _macros(env), set[str]()
    todo = names & macros.keys()
    while todo:
        inner = set[str]().union(*(macros[it] for it in todo))
        todo = (inner - found) & macros.keys()
        found |= inner
    return found


def _macros(env: Environment) -> Mapping[str, frozenset[str]]:
    return env.table("macro words", _macro_words, ("macros", "definitions"))


def _macro_words(env: Environment) -> Mapping[str, frozenset[str]]:
    """By macro, the names in its text."""
    found: dict[str, set[str]] = {}
    for names in (env.outer, env.own):
        for name, plain in names.plain_macros():
            found.setdefault(name, set()).update(_WORD.findall(plain.type))
        for name, several in names.macros.items():
            found.setdefault(name, set()).update(*(macro.names for _, macro in several))
    return {name: frozenset(words) for name, words in found.items()}


@remembered(4096)
def _words(text: str) -> frozenset[str]:
    """At the next key nearly all texts are the same."""
    return frozenset(_WORD.findall(text))


class _ByPlace(Exception):
    """Inside the reader only: what a text means hangs on where it stands."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """`locals`, `types`: the item's own names. `start`, `end`: of the function. `brought`: the names that a macro
    brings, and the parts of a variable."""

    locals: Mapping[str, tuple[Definition, ...]]
    types: Mapping[str, Sequence[TypeDefinition]]
    start: int
    end: int
    brought: Mapping[str, frozenset[str]]
    _own: frozenset[str]
    _holding: dict[str, list[tuple[int, int, Definition]]] = field(default_factory=dict)  # by name, from where to where
    _told: dict[int, bytes | None] = field(default_factory=dict)  # by identity; None: it hangs on its place
    _reading: list[Definition | TypeDefinition] = field(default_factory=list)  # each for the one before

    def text(self, said: bytes, at: int) -> Hashable | None:
        return self._meaning(said, said.decode("utf-8", "replace"), at)

    def call(self, site: CallSite) -> Hashable | None:
        said = site.name, site.on, site.template, site.arguments
        if any(it.startswith("[") for it in site.arguments or ()):  # no lambda is like another
            return None
        text = " ".join((site.name, site.on, *(site.template or ()), *(site.arguments or ())))
        return self._meaning(said, text, site.start)

    def field(self, it: Field) -> Hashable | None:
        if it.type.fields is not None:
            return None
        text = it.type.text, str(it.type.pointer), *_texts(it.extents), *_texts(it.alignment)
        return self._meaning(text, " ".join(text), it.span.start)

    def _meaning(self, said: Hashable, text: str, at: int) -> Hashable | None:
        try:
            return said, self._names(text, at)
        except _ByPlace:
            return None

    def _names(self, text: str, at: int) -> bytes:
        """What the item's own names in it mean there."""
        words = _words(text)
        own = words & self._own
        for macro in words & self.brought.keys() if self.brought else ():
            own |= self.brought[macro]
        if ALL_OF_NAMESPACE in self._own:
            own |= {ALL_OF_NAMESPACE}
        return b";".join([self._name(it, at) for it in sorted(own)]) if own else b""

    def _name(self, name: str, at: int) -> bytes:
        types = self.types.get(name, ())
        told = [self._alias(it) for it in types if it.scope and it.scope.start <= at < it.scope.end]
        holding = self._holding.get(name)
        if holding is None:
            holding = self._holding[name] = self._held(name)
        told += [self._definition(it) for start, end, it in holding if start <= at < end]
        return b"".join(told)

    def _held(self, name: str) -> list[tuple[int, int, Definition]]:
        """The definitions of the name in the function, each with the text in which it may count."""
        known = self.locals.get(name, ())
        if any(it.type == "[]" for it in known):
            raise _ByPlace
        scoped = ((it, it.scope) for it in known if it.scope is not None)
        spans = ((max(it.start, scope.start), scope.end, it) for it, scope in scoped)
        return [it for it in spans if it[0] < self.end and self.start < it[1]]

    def _alias(self, it: TypeDefinition) -> bytes:
        """Of a type that the item declares: other than of an alias, it is one by where it stands."""
        if it.alias is None or it.alias.fields is not None or it.enum or it.conditions or it.template is not None:
            raise _ByPlace
        return self._once(it, partial(self._aliased, it, it.alias))

    def _aliased(self, it: TypeDefinition, alias: TypeUse) -> bytes:
        text = *_texts(alias), *_texts(it.extents)
        said = repr(text).encode() + self._names(" ".join(text), it.body.start)
        return blake2b(said, digest_size=16).digest()

    def _definition(self, it: Definition) -> bytes:
        return self._told.get(id(it)) or self._once(it, partial(self._read, it))

    def _once(self, it: Definition | TypeDefinition, read: Callable[[], bytes]) -> bytes:
        """What hangs on itself, too."""
        if id(it) not in self._told:
            self._told[id(it)] = b"itself"
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

    def _read(self, it: Definition) -> bytes:
        if it.kind == "narrowed" or it.conditions or isinstance(it.value, GivenBack):
            raise _ByPlace
        text = (*_texts(it.value),)
        reason = it.value.reason if isinstance(it.value, Opaque | Joined) else ""
        said = it.name, it.kind, it.type, reason, text, it.declares
        names = self._names(" ".join((it.type, *text)), it.start)
        others = self._assigned(it.name) if isinstance(it.value, Joined) else b""
        return blake2b(repr(said).encode() + names + others, digest_size=16).digest()

    def _assigned(self, name: str) -> bytes:
        """What all assignments give a variable, and which of them stand in the scope of which."""
        every = self.locals[name]
        scopes = [it.scope for it in every if it.scope is not None]
        within = ["".join("01"[scope.start <= it.start < scope.end] for scope in scopes) for it in every]
        return b",".join((*map(str.encode, within), *map(self._definition, every)))


def _texts(value: object) -> Iterator[str]:
    """What an expression says, wherever it stands, but for reasons why it says no more."""
    match value:
        case Number(number, suffix=suffix):
            yield f"{number}{suffix}"
        case Unread(text):
            yield text.decode("utf-8", "replace")
        case Opaque(said=said):
            yield said
        case Joined(value=value):
            yield from _texts(value)
        case tuple():
            yield str(len(value))
            for it in value:
                yield from _texts(it)
        case None | str() | int():
            yield str(value)
        case _:
            yield type(value).__name__
            for it in fields(value):  # type: ignore[arg-type]
                yield from _texts(getattr(value, it.name))
