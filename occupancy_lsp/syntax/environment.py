"""What the names of one file mean: a file's definitions gathered, and looked up from where an expression stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from occupancy_lsp.syntax.constants import evaluate
from occupancy_lsp.syntax.dialects import Dialect
from occupancy_lsp.syntax.expressions import Expression, Name, Opaque, parse
from occupancy_lsp.syntax.facts import (
    Conditions,
    Definition,
    Field,
    Function,
    FunctionMacro,
    ItemFacts,
    LocalArray,
    TypeDefinition,
    TypeUse,
)
from occupancy_lsp.syntax.layout import POINTER, Layout, aggregate, builtin
from occupancy_lsp.syntax.values import Place, Value, unknown


@dataclass(frozen=True, slots=True)
class Standing:
    """An item's facts and where the item stands: its order in the file, its namespaces, the conditions around it.

    `matters`: other items can depend on it. `speaks`: it says something of a kernel.
    """

    item: int
    order: int
    namespaces: tuple[str, ...]
    conditions: Conditions
    facts: ItemFacts
    matters: bool
    speaks: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A definition at file level and the item that holds it."""

    standing: Standing
    definition: Definition


@dataclass(slots=True)
class Environment:
    """The file-level names. Treat as frozen: a change of the file makes a new one."""

    dialect: Dialect
    macros: Mapping[str, int]  # set from outside, such as __CUDA_ARCH__ for a device
    overrides: Mapping[Place, int] = field(default_factory=dict)
    definitions: dict[str, list[Found]] = field(default_factory=dict)
    types: dict[str, list[tuple[Standing, TypeDefinition]]] = field(default_factory=dict)
    functions: dict[str, list[tuple[Standing, Function]]] = field(default_factory=dict)
    function_macros: dict[str, FunctionMacro] = field(default_factory=dict)
    arrays: list[tuple[Standing, LocalArray]] = field(default_factory=list)
    undefined: frozenset[str] = frozenset()
    packs: bool = False
    dynamic_alignment: int | None = 1  # the strictest that dynamic local memory in this file asks for; None: not known
    asked: set[str] = field(default_factory=set)  # the names looked up since someone last emptied it

    def file_wide(self) -> tuple[object, ...]:
        """What bears on every item, whatever it names."""
        return self.macros, self.overrides, self.arrays, self.packs, self.dynamic_alignment

    def meaning(self, name: str) -> tuple[object, ...]:
        """All that the file says of a name: equal meanings give equal answers."""
        return (
            self.definitions.get(name),
            self.types.get(name),
            self.functions.get(name),
            self.function_macros.get(name),
            name in self.undefined,
        )

    def holders(self, name: str) -> Iterator[Standing]:
        """The items that define `name` in any of its senses."""
        yield from (f.standing for f in self.definitions.get(name, ()))
        yield from (standing for standing, _ in self.types.get(name, ()))
        yield from (standing for standing, _ in self.functions.get(name, ()))

    def holds(self, conditions: Conditions, order: int) -> bool | None:
        """Whether all of `conditions` hold; None: not known."""
        result: bool | None = True
        for text, wanted in conditions:
            if wanted and self._guards(text):
                continue
            value = evaluate(parse(text.encode()), _ConditionScope(self, order)).number
            if value is None:
                result = None
            elif bool(value) != wanted:
                return False
        return result

    def _guards(self, text: str) -> bool:
        """Whether this is the `#ifndef X` around the one place that defines X: an include guard, or a default."""
        name = text.removeprefix("!defined(").removesuffix(")")
        self.asked.add(name)
        found = [f for f in self.definitions.get(name, ()) if f.definition.kind == "macro"]
        return len(text) > len(name) and bool(found) and all((text, True) in f.standing.conditions for f in found)

    def is_defined(self, name: str, order: int) -> bool | None:
        if name in self.macros or name in self.dialect.macros:
            return True
        if name in self.dialect.absent:
            return False
        self.asked.add(name)
        before = [
            f for f in self.definitions.get(name, ()) if f.definition.kind == "macro" and f.standing.order < order
        ]
        # A macro's own `#ifndef` guard and #undef leave it open whether it was defined before.
        sure = [f for f in before if not (f.definition.conditions or f.standing.conditions)]
        return True if sure and name not in self.undefined else None

    def overridden(self, overrides: Mapping[Place, int]) -> Environment:
        """The same names with other numbers at some places: what an edit would make of the file."""
        return Environment(
            self.dialect, self.macros, overrides, self.definitions, self.types, self.functions, self.function_macros,
            self.arrays, self.undefined, self.packs, self.dynamic_alignment,
        )  # fmt: skip


def environment(standings: Iterable[Standing], dialect: Dialect, macros: Mapping[str, int]) -> Environment:
    found = Environment(dialect, macros)
    undefined: set[str] = set()
    for standing in standings:
        facts = standing.facts
        for definition in facts.definitions:
            found.definitions.setdefault(definition.name, []).append(Found(standing, definition))
        for kind in facts.types:
            if kind.scope is None:
                found.types.setdefault(kind.name, []).append((standing, kind))
        for function in facts.functions:
            found.functions.setdefault(function.name, []).append((standing, function))
        for macro in facts.macros:
            found.function_macros[macro.name] = macro
        found.arrays += [(standing, array) for array in facts.arrays]
        undefined.update(facts.undefined)
        found.packs = found.packs or facts.packs
    found.undefined = frozenset(undefined)
    found.dynamic_alignment = _dynamic_alignment(found)
    return found


def _dynamic_alignment(env: Environment) -> int | None:
    arrays = [(standing, array) for standing, array in env.arrays if array.dynamic]
    for holders in env.functions.values():
        arrays += [(standing, array) for standing, function in holders for array in function.arrays if array.dynamic]
    asked = [
        evaluate(array.field.alignment, ItemScope(env, standing, array.field.span.start)).number
        for standing, array in arrays
        if array.field.alignment is not None
    ]
    return None if None in asked else max((number for number in asked if number), default=1)


class _ConditionScope:
    """The preprocessor's view of a name: macros only."""

    item = -1

    def __init__(self, environment: Environment, order: int) -> None:
        self._environment = environment
        self._order = order

    def find(self, name: Name) -> tuple[Expression, _ConditionScope] | str:
        env, label = self._environment, str(name)
        env.asked.add(label)
        number = env.macros.get(label, env.dialect.macros.get(label))
        if number is not None:
            return parse(str(number).encode()), self
        if label in env.dialect.absent:
            return parse(b"0"), self
        macros = [f for f in env.definitions.get(label, ()) if f.definition.kind == "macro"]
        if len(macros) == 1 and macros[0].standing.order < self._order and label not in env.undefined:
            return macros[0].definition.value, self
        return f"{label} may be defined elsewhere"

    def size_of(self, operator: str, text: str) -> Value:
        return unknown(f"{operator} in a condition")

    def is_defined(self, name: str) -> bool | None:
        return self._environment.is_defined(name, self._order)

    def override(self, place: Place) -> int | None:
        return None


class ItemScope:
    """What names mean at `offset` inside an item."""

    def __init__(self, env: Environment, standing: Standing, offset: int, owner: tuple[str, ...] = ()) -> None:
        self._env = env
        self._standing = standing
        self._offset = offset
        self._owner = owner

    @property
    def item(self) -> int:
        return self._standing.item

    def override(self, place: Place) -> int | None:
        return self._env.overrides.get(place)

    def is_defined(self, name: str) -> bool | None:
        return self._env.is_defined(name, self._standing.order)

    def find(self, name: Name) -> tuple[Expression, ItemScope] | str:
        if name.dependent:
            return f"{name} depends on template arguments"
        if len(name.parts) == 1 and (local := self._local(name.parts[0])):
            return local.value, ItemScope(self._env, self._standing, local.start, self._owner)
        candidates = self._reachable(name)
        if not candidates:
            return f"{name} is not defined in this file"
        chosen = candidates[-1]
        if len(candidates) > 1:
            numbers = {evaluate(f.definition.value, self._at(f), depth=8).number for f in candidates}
            if len(numbers) > 1 or None in numbers:
                return f"{name} has several definitions"
        return chosen.definition.value, self._at(chosen)

    def _at(self, found: Found) -> ItemScope:
        return ItemScope(self._env, found.standing, found.definition.start, found.definition.owner)

    def _local(self, name: str) -> Definition | None:
        """The definition in force at `offset`: of those before it, the last whose scope holds it."""
        known = self._standing.facts.locals.get(name, ())
        for definition in reversed(known[: bisect_right(known, self._offset, key=lambda d: d.start)]):
            if definition.scope is not None and definition.scope.start <= self._offset < definition.scope.end:
                holds = self._env.holds(definition.conditions, self._standing.order)
                if holds is None:
                    return replace(definition, value=Opaque(f"{name} stands under an #if that may not hold"))
                if holds:
                    return definition
        return None

    def _reachable(self, name: Name) -> list[Found]:
        *outer, label = name.parts
        self._env.asked.add(label)
        found = [f for f in self._env.definitions.get(label, ()) if self._sees(f, tuple(outer)) and self._active(f)]
        macros = [f for f in found if f.definition.kind == "macro"]
        if macros:
            return self._macro_here(macros, label)
        # The innermost class or namespace that has the name hides those further out.
        depth = max((len(f.standing.namespaces) + len(f.definition.owner) for f in found), default=0)
        return [f for f in found if len(f.standing.namespaces) + len(f.definition.owner) == depth]

    def _macro_here(self, macros: list[Found], label: str) -> list[Found]:
        """The definition in force at this item, if nothing makes that doubtful."""
        before = [f for f in macros if f.standing.order < self._standing.order or f.standing.item == self.item]
        conditional = any(
            self._env.holds(f.standing.conditions + f.definition.conditions, f.standing.order) is None for f in before
        )
        if label in self._env.undefined or conditional:
            return before
        return before[-1:]

    def _sees(self, found: Found, outer: tuple[str, ...]) -> bool:
        if found.definition.kind == "macro":
            return not outer
        path = (*found.standing.namespaces, *found.definition.owner)
        if outer:
            return path[-len(outer) :] == outer
        here = (*self._standing.namespaces, *self._owner)
        return here[: len(path)] == path or not any(path)

    def _active(self, found: Found) -> bool:
        conditions = found.standing.conditions + found.definition.conditions
        return self._env.holds(conditions, found.standing.order) is not False

    # -- types

    def size_of(self, operator: str, text: str) -> Value:
        if text.endswith("*"):
            return Value(8)
        layout = self.layout(TypeUse(" ".join(text.replace("const ", "").split())))
        if isinstance(layout, str):
            return unknown(layout)
        return Value(layout.size if operator == "sizeof" else layout.alignment)

    def layout(self, use: TypeUse, depth: int = 0) -> Layout | str:
        """Size and alignment of a type, or why they are unknown."""
        if use.pointer:
            return POINTER
        if use.fields is not None:
            return self._aggregate(use.fields, use.union, 1, depth)
        types = [
            (standing, kind)
            for standing, kind in self._types(use.text)
            if self._env.holds(standing.conditions + kind.conditions, standing.order) is not False
        ]
        if not types and not self._is_parameter(use.text) and (known := builtin(use.text, self._env.dialect.opencl)):
            return known
        if len(types) != 1 or depth > 16 or self._is_parameter(use.text):
            return f"the size of {use.text or 'its type'}"
        standing, kind = types[0]
        return ItemScope(self._env, standing, self._offset, self._owner)._defined(kind, depth)

    def _types(self, text: str) -> list[tuple[Standing, TypeDefinition]]:
        local = [(self._standing, t) for t in self._standing.facts.types if t.name == text and t.scope is not None]
        label = text.rsplit("::", 1)[-1]
        self._env.asked.add(label)
        return local or self._env.types.get(label, [])

    def _is_parameter(self, text: str) -> bool:
        return any(d.kind == "parameter" for d in self._standing.facts.locals.get(text, ()))

    def _defined(self, kind: TypeDefinition, depth: int) -> Layout | str:
        if kind.alias is not None:
            return self.layout(kind.alias, depth + 1)
        if kind.fields is None or self._env.packs:
            return f"the size of {kind.name}"
        alignment = Value(1) if kind.alignment is None else evaluate(kind.alignment, self)
        if alignment.number is None:
            return f"the alignment of {kind.name}"
        return self._aggregate(kind.fields, kind.union, alignment.number, depth)

    def _aggregate(self, fields: Iterable[Field], union: bool, alignment: int, depth: int) -> Layout | str:
        members: list[Layout] = []
        for member in fields:
            layout = self.field(member, depth + 1)
            if isinstance(layout, str):
                return layout
            members.append(layout)
        return aggregate(members, union, alignment)

    def field(self, member: Field, depth: int = 0) -> Layout | str:
        """The layout of a variable: its type times its extents, at least as aligned as asked."""
        layout = self.layout(member.type, depth)
        if isinstance(layout, str):
            return layout
        count = 1
        for extent in member.extents:
            value = evaluate(extent, self)
            if value.number is None or value.number < 0:
                return value.reason or "a negative extent"
            count *= value.number
        asked = Value(1) if member.alignment is None else evaluate(member.alignment, self)
        if asked.number is None:
            return asked.reason
        alignment = max(layout.alignment, asked.number)
        return Layout(layout.size * count, alignment)
