"""Objects of an abstract interpreter of host code: how variables of a type begin, and what classes do at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow import abstract_values as values
from occupancy_lsp.source.dataflow.abstract_memory import DEEPEST, Given, Memory, Names
from occupancy_lsp.source.dataflow.abstract_values import (
    NONNULL,
    Closure,
    Named,
    Place,
    Pointer,
    Record,
    String,
    Value,
    bare_type,
    to_type,
    truth,
)
from occupancy_lsp.source.dataflow.program_outline import ClassOutline, FunctionOutline, MemberOutline
from occupancy_lsp.source.syntax.parser import text

MOST_ITEMS = 64
STRING = regex(r"(?:std::)?(?:basic_)?string(?:_view)?")
_WORD = regex(r"[A-Za-z_]\w*")
_HOLDER = regex(r"(?:std::)?(?:optional|unique_ptr|shared_ptr|function)\b.*")
CONTAINER = regex(r"(?:std::)?(?:vector|deque|list|set|map|array|unordered_\w+)\b.*")


class Objects(Memory):
    def _type_of(self, node: Node) -> str:
        kind = node.child_by_field_name("type")
        return bare_type(text(kind)) if kind is not None else ""

    def _initial(self, kind: str, declarator: Node, value: Node | None, names: Names, zero: bool) -> Value:
        """What a variable of a type holds at first."""
        if declarator.type == "array_declarator":
            return self._array(kind, declarator, value, names, zero)
        if declarator.type == "pointer_declarator" or "function_declarator" in declarator.type:
            if value is not None:
                return self._decayed(*self._argument(value, names))
            return 0 if zero else None
        if isinstance(names.bound.get(kind), str):
            kind = str(names.bound[kind])
        if value is None:
            return self._made(kind, [], names, zero)
        if value.type in ("initializer_list", "argument_list"):
            return self._listed(kind, value, names)
        return self._converted(kind, self._value(value, names), names)

    def _decayed(self, value: Value, place: Place | None) -> Value:
        """An array as a pointer to its first element."""
        if isinstance(value, values.Elements) and value.decays:
            return Pointer((place[0], (*place[1], 0))) if place is not None else NONNULL
        return value

    def _array(self, kind: str, declarator: Node, value: Node | None, names: Names, zero: bool) -> Value:
        said = declarator.child_by_field_name("size")
        size = self._value(said, names) if said is not None else None
        items: list[Value] = []
        if value is not None and value.type == "initializer_list":
            for it in value.named_children:
                items.append(self._listed(kind, it, names) if it.type == "initializer_list" else self._value(it, names))
        elif value is not None:
            return values.Elements(None, True)
        if said is None or (isinstance(size, int) and size <= MOST_ITEMS):
            fill: Value = 0 if zero or value is not None else None
            count = size if isinstance(size, int) else len(items)
            return values.Elements((*items, *[fill] * (count - len(items))), True)
        return values.Elements(None, True)

    def _listed(self, kind: str, node: Node, names: Names) -> Value:
        """Of a type, made of a list in braces or parentheses."""
        if CONTAINER.fullmatch(kind):
            self._make_unseen(kind)
            return self._container(node, names)
        if kind in self._outline.classes and node.type == "initializer_list" and not self._constructors(kind):
            return self._aggregate(kind, node, names)
        arguments = [self._argument(it, names) for it in node.named_children if it.type != "comment"]
        return self._made(kind, arguments, names, zero=True)

    def _container(self, node: Node, names: Names) -> Value:
        items = tuple(self._value(it, names) for it in node.named_children)
        if node.type == "initializer_list":
            return values.Elements(items)
        count = items[0] if items else 0
        if not isinstance(count, int) or not 0 <= count <= MOST_ITEMS or len(items) > 2:
            return values.Elements(None)
        return values.Elements((items[1] if len(items) == 2 else 0,) * count)

    def _constructors(self, kind: str) -> list[FunctionOutline]:
        return [it for it in self._outline.functions.get(kind, ()) if it.owner == kind]

    def _members(self, kind: str) -> Iterator[tuple[ClassOutline, MemberOutline]]:
        for it in self._outline.bases_of(kind):
            for member in it.members:
                yield it, member

    def _aggregate(self, kind: str, node: Node, names: Names) -> Value:
        whole = self._default(kind, names, zero=True)
        members = [it for _, it in self._members(kind)]
        given = [it for it in node.named_children if it.type != "comment"]
        for index, it in enumerate(given):
            label = members[index].name if index < len(members) else ""
            value: Node | None = it
            if it.type == "initializer_pair":
                label = text(it.child_by_field_name("designator") or it).lstrip(".")
                value = it.child_by_field_name("value")
            said = next((each for each in members if each.name == label), None)
            if said is not None and value is not None and isinstance(whole, Record):
                found = self._listed(bare_type(said.type), value, names) if value.type == "initializer_list" else (
                    self._converted(bare_type(said.type), self._value(value, names), names))  # fmt: skip
                whole = Record(kind, {**whole.members, label: found})
        return whole

    def _default(self, kind: str, names: Names, zero: bool) -> Value:
        """An object of a class whose members have what its text gives them."""
        if len(self._outline.classes[kind]) > 1 or self._depth > DEEPEST:
            return None
        found: dict[str, Value] = {}
        self._depth += 1
        for _, it in self._members(kind):
            declarator = it.declarator
            found[it.name] = self._initial(
                bare_type(it.type), declarator, it.initial, Names(None, None, kind, {}), zero
            )
        self._depth -= 1
        return Record(kind, found)

    def _made(self, kind: str, arguments: Sequence[Given], names: Names, zero: bool) -> Value:
        """An object of a type, made of these arguments."""
        if kind == "dim3":
            sizes = [it for it, _ in arguments] + [1] * (3 - len(arguments))
            if len(arguments) == 1 and isinstance(sizes[0], Record):
                return sizes[0]
            return Record("dim3", dict(zip("xyz", sizes, strict=False)))
        if STRING.fullmatch(kind):
            return to_type(kind, arguments[0][0]) if arguments else String("")
        if _HOLDER.fullmatch(kind):
            return self._held(arguments[0][0]) if arguments else 0
        if CONTAINER.fullmatch(kind):
            self._make_unseen(kind if arguments else "")
            return values.Elements(() if not arguments and not kind.startswith(("std::array", "array")) else None)
        if kind not in self._outline.classes:
            self._give_away(kind, arguments)
            if len(arguments) == 1:
                return to_type(kind, arguments[0][0])
            return 0 if not arguments and zero else None
        if len(arguments) == 1 and isinstance(arguments[0][0], Record) and arguments[0][0].kind == kind:
            return self._copied(arguments[0][0])
        made = [it for it in self._constructors(kind) if it.takes(len(arguments))] or (
            self._constructors(kind) if arguments else []
        )
        if not made:
            zero = zero and not self._constructors(kind)
            whole = self._default(kind, names, zero)
            for base in self._outline.bases_of(kind):
                for it in self._constructors(base.name) if base.name != kind else ():
                    self._call(it, [(None, None)] * len(it.parameters), self._new(whole), {})
            return whole
        place = self._new(self._default(kind, names, False))
        if len(made) > 1:
            for it in made:
                self._fork(None, lambda it=it: self._call(it, arguments, place, {}), lambda: None)  # type: ignore[misc]
            self._write(place, None)
        else:
            self._call(made[0], arguments, place, {})
        return self._read(place)

    def _copied(self, whole: Record) -> Value:
        """A copy of an object, of which nothing is known where the class says how it is made."""
        for it in self._constructors(whole.kind):
            if len(it.parameters) == 1 and bare_type(it.parameters[0].type) == whole.kind:
                self._perhaps(it, None)
                return None
        return whole

    def _make_unseen(self, said: str) -> None:
        """What code out of sight makes of classes that are named for it, and ends."""
        for name in sorted({*_WORD.findall(said)} & self._outline.classes.keys()):
            for it in (*self._constructors(name), *self._outline.functions.get(f"~{name}", ())):
                self._perhaps(it, None)

    def _held(self, value: Value) -> Value:
        """In a pointer that owns, an optional value or a function object."""
        if isinstance(value, Closure | Named | Pointer) or (value == 0 and type(value) is int):
            return value
        return NONNULL

    def _converted(self, kind: str, value: Value, names: Names) -> Value:
        bound = names.bound.get(kind)
        kind = bound if isinstance(bound, str) else kind
        if _HOLDER.fullmatch(kind) and not isinstance(value, Record | values.Elements):
            return self._held(value) if value is not None else None
        if isinstance(value, Record) and value.kind == kind:
            return self._copied(value)
        if isinstance(value, Record) and value.kind in self._outline.classes and kind not in self._outline.classes:
            for it in self._outline.method(value.kind, f"operator {kind}"):
                return self._call(it, [], self._new(value), {})
        if kind in self._outline.classes and not isinstance(value, Record):
            return self._made(kind, [(value, None)], names, False)
        if kind == "dim3" and not isinstance(value, Record):
            return self._made(kind, [(value, None)], names, False)
        if kind == "bool":
            known = self._truth(value)
            return None if known is None else int(known)
        return to_type(kind, value)

    def _truth(self, value: Value) -> bool | None:
        if isinstance(value, Record):
            for it in self._outline.method(value.kind, "operator bool"):
                return truth(self._call(it, [], self._new(value), {}))
        return truth(value)

    def _type_at(self, place: Place) -> str:
        if not place[1]:
            return bare_type(self._types.get(place[0], ""))
        whole = values.read(self._live(), (place[0], place[1][:-1]))
        if isinstance(whole, Record):
            for _, it in self._members(whole.kind):
                if it.name == place[1][-1] and it.declarator.type == "field_identifier":
                    return bare_type(it.type)
        return ""

    def _special(self, kind: str, name: str) -> bool:
        """Whether a class, what it inherits or consists of has such a function."""
        for it in self._outline.bases_of(kind):
            if f"~{it.name}" in self._outline.functions:
                return True
            if any(bare_type(each.type) in self._outline.classes and bare_type(each.type) != kind and
                   self._special(bare_type(each.type), name) for each in it.members):  # fmt: skip
                return True
        return name in self._outline.functions

    def _end_life(self, kind: str, place: Place | None) -> None:
        for it in self._outline.bases_of(kind):
            for each in self._outline.functions.get(f"~{it.name}", ()):
                self._call(each, [], place, {})
            for member in it.members:
                if self._special(bare_type(member.type), f"~{bare_type(member.type)}"):
                    within = (place[0], (*place[1], member.name)) if place is not None else None
                    self._end_life(bare_type(member.type), within)
