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
    convert_to_type,
    truth,
    unqualified_type,
)
from occupancy_lsp.source.dataflow.program_outline import ClassOutline, FunctionOutline, MemberOutline
from occupancy_lsp.source.syntax.parser import text

MOST_ITEMS = 64
STRING = regex(r"(?:std::)?(?:basic_)?string(?:_view)?")
_WORD = regex(r"[A-Za-z_]\w*")
_HOLDER = regex(r"(?:std::)?(?:optional|unique_ptr|shared_ptr|function)\b.*")
CONTAINER = regex(r"(?:std::)?(?:vector|deque|list|set|map|array|unordered_\w+)\b.*")


class Objects(Memory):
    def _declared_type(self, node: Node) -> str:
        kind = node.child_by_field_name("type")
        return unqualified_type(text(kind)) if kind is not None else ""

    def _initial_value(self, kind: str, declarator: Node, value: Node | None, names: Names, zero: bool) -> Value:
        """What a variable of a type holds at first."""
        if declarator.type == "array_declarator":
            return self._initial_array(kind, declarator, value, names, zero)
        if declarator.type == "pointer_declarator" or "function_declarator" in declarator.type:
            if value is not None:
                return self._decay_array(*self._evaluate_argument(value, names))
            return 0 if zero else None
        if isinstance(names.bound.get(kind), str):
            kind = str(names.bound[kind])
        if value is None:
            return self._construct(kind, [], zero)
        if value.type in ("initializer_list", "argument_list"):
            return self._construct_from_list(kind, value, names)
        return self._convert_to_type(kind, self._evaluate(value, names), names)

    def _decay_array(self, value: Value, place: Place | None) -> Value:
        """An array as a pointer to its first element."""
        if isinstance(value, values.Elements) and value.decays:
            return Pointer((place[0], (*place[1], 0))) if place is not None else NONNULL
        return value

    def _initial_array(self, kind: str, declarator: Node, value: Node | None, names: Names, zero: bool) -> Value:
        said = declarator.child_by_field_name("size")
        size = self._evaluate(said, names) if said is not None else None
        items: list[Value] = []
        if value is not None and value.type == "initializer_list":
            for it in value.named_children:
                items.append(
                    self._construct_from_list(kind, it, names)
                    if it.type == "initializer_list"
                    else self._evaluate(it, names)
                )
        elif value is not None:
            return values.Elements(None, True)
        if said is None or (isinstance(size, int) and size <= MOST_ITEMS):
            fill: Value = 0 if zero or value is not None else None
            count = size if isinstance(size, int) else len(items)
            return values.Elements((*items, *[fill] * (count - len(items))), True)
        return values.Elements(None, True)

    def _construct_from_list(self, kind: str, node: Node, names: Names) -> Value:
        """Of a type, made of a list in braces or parentheses."""
        if CONTAINER.fullmatch(kind):
            self._assume_library_may_construct(kind)
            return self._construct_container(node, names)
        if kind in self._outline.classes and node.type == "initializer_list" and not self._constructors(kind):
            return self._initialise_aggregate(kind, node, names)
        arguments = [self._evaluate_argument(it, names) for it in node.named_children if it.type != "comment"]
        return self._construct(kind, arguments, zero=True)

    def _construct_container(self, node: Node, names: Names) -> Value:
        items = tuple(self._evaluate(it, names) for it in node.named_children)
        if node.type == "initializer_list":
            return values.Elements(items)
        count = items[0] if items else 0
        if not isinstance(count, int) or not 0 <= count <= MOST_ITEMS or len(items) > 2:
            return values.Elements(None)
        return values.Elements((items[1] if len(items) == 2 else 0,) * count)

    def _constructors(self, kind: str) -> list[FunctionOutline]:
        return [it for it in self._outline.functions.get(kind, ()) if it.owner == kind]

    def _members_with_bases(self, kind: str) -> Iterator[tuple[ClassOutline, MemberOutline]]:
        for it in self._outline.bases_of(kind):
            for member in it.members:
                yield it, member

    def _initialise_aggregate(self, kind: str, node: Node, names: Names) -> Value:
        whole = self._default_object(kind, zero=True)
        members = [it for _, it in self._members_with_bases(kind)]
        given = [it for it in node.named_children if it.type != "comment"]
        for index, it in enumerate(given):
            label = members[index].name if index < len(members) else ""
            value: Node | None = it
            if it.type == "initializer_pair":
                label = text(it.child_by_field_name("designator") or it).lstrip(".")
                value = it.child_by_field_name("value")
            said = next((each for each in members if each.name == label), None)
            if said is not None and value is not None and isinstance(whole, Record):
                kind_of_member = unqualified_type(said.type)
                if value.type == "initializer_list":
                    found = self._construct_from_list(kind_of_member, value, names)
                else:
                    found = self._convert_to_type(kind_of_member, self._evaluate(value, names), names)
                whole = Record(kind, {**whole.members, label: found})
        return whole

    def _default_object(self, kind: str, zero: bool) -> Value:
        """An object of a class whose members have what its text gives them."""
        if len(self._outline.classes[kind]) > 1 or self._depth > DEEPEST:
            return None
        found: dict[str, Value] = {}
        self._depth += 1
        for _, it in self._members_with_bases(kind):
            declarator = it.declarator
            found[it.name] = self._initial_value(
                unqualified_type(it.type), declarator, it.initial, Names(None, None, kind, {}), zero
            )
        self._depth -= 1
        return Record(kind, found)

    def _construct(self, kind: str, arguments: Sequence[Given], zero: bool) -> Value:
        """An object of a type, made of these arguments."""
        if kind == "dim3":
            sizes = [it for it, _ in arguments] + [1] * (3 - len(arguments))
            if len(arguments) == 1 and isinstance(sizes[0], Record):
                return sizes[0]
            return Record("dim3", dict(zip("xyz", sizes, strict=False)))
        if STRING.fullmatch(kind):
            return convert_to_type(kind, arguments[0][0]) if arguments else String("")
        if _HOLDER.fullmatch(kind):
            return self._convert_to_holder(arguments[0][0]) if arguments else 0
        if CONTAINER.fullmatch(kind):
            self._assume_library_may_construct(kind if arguments else "")
            return values.Elements(() if not arguments and not kind.startswith(("std::array", "array")) else None)
        if kind not in self._outline.classes:
            self._call_unknown_function(kind, arguments)
            if len(arguments) == 1:
                return convert_to_type(kind, arguments[0][0])
            return 0 if not arguments and zero else None
        if len(arguments) == 1 and isinstance(arguments[0][0], Record) and arguments[0][0].kind == kind:
            return self._copy_object(arguments[0][0])
        made = [it for it in self._constructors(kind) if it.takes(len(arguments))] or (
            self._constructors(kind) if arguments else []
        )
        if not made:
            zero = zero and not self._constructors(kind)
            whole = self._default_object(kind, zero)
            for base in self._outline.bases_of(kind):
                for it in self._constructors(base.name) if base.name != kind else ():
                    self._call_function(it, [(None, None)] * len(it.parameters), self._allocate_cell(whole), {})
            return whole
        place = self._allocate_cell(self._default_object(kind, False))
        if len(made) > 1:
            for it in made:
                self._evaluate_branches(None, lambda it=it: self._call_function(it, arguments, place, {}), lambda: None)  # type: ignore[misc]
            self._write(place, None)
        else:
            self._call_function(made[0], arguments, place, {})
        return self._read(place)

    def _copy_object(self, whole: Record) -> Value:
        """A copy of an object, of which nothing is known where the class says how it is made."""
        for it in self._constructors(whole.kind):
            if len(it.parameters) == 1 and unqualified_type(it.parameters[0].type) == whole.kind:
                self._maybe_call(it, None)
                return None
        return whole

    def _assume_library_may_construct(self, said: str) -> None:
        """What code out of sight makes of classes that are named for it, and ends."""
        for name in sorted({*_WORD.findall(said)} & self._outline.classes.keys()):
            for it in (*self._constructors(name), *self._outline.functions.get(f"~{name}", ())):
                self._maybe_call(it, None)

    def _convert_to_holder(self, value: Value) -> Value:
        """In a pointer that owns, an optional value or a function object."""
        if isinstance(value, Closure | Named | Pointer) or (value == 0 and type(value) is int):
            return value
        return NONNULL

    def _convert_to_type(self, kind: str, value: Value, names: Names) -> Value:
        bound = names.bound.get(kind)
        kind = bound if isinstance(bound, str) else kind
        if _HOLDER.fullmatch(kind) and not isinstance(value, Record | values.Elements):
            return self._convert_to_holder(value) if value is not None else None
        if isinstance(value, Record) and value.kind == kind:
            return self._copy_object(value)
        if isinstance(value, Record) and value.kind in self._outline.classes and kind not in self._outline.classes:
            for it in self._outline.methods_by_name(value.kind, f"operator {kind}"):
                return self._call_function(it, [], self._allocate_cell(value), {})
        if kind in self._outline.classes and not isinstance(value, Record):
            return self._construct(kind, [(value, None)], False)
        if kind == "dim3" and not isinstance(value, Record):
            return self._construct(kind, [(value, None)], False)
        if kind == "bool":
            known = self._truth(value)
            return None if known is None else int(known)
        return convert_to_type(kind, value)

    def _truth(self, value: Value) -> bool | None:
        if isinstance(value, Record):
            for it in self._outline.methods_by_name(value.kind, "operator bool"):
                return truth(self._call_function(it, [], self._allocate_cell(value), {}))
        return truth(value)

    def _type_at(self, place: Place) -> str:
        if not place[1]:
            return unqualified_type(self._types.get(place[0], ""))
        whole = values.read_place(self._require_state(), (place[0], place[1][:-1]))
        if isinstance(whole, Record):
            for _, it in self._members_with_bases(whole.kind):
                if it.name == place[1][-1] and it.declarator.type == "field_identifier":
                    return unqualified_type(it.type)
        return ""

    def _has_special_function(self, kind: str, name: str) -> bool:
        """Whether a class, what it inherits or consists of has such a function."""
        for it in self._outline.bases_of(kind):
            if f"~{it.name}" in self._outline.functions:
                return True
            if any(unqualified_type(each.type) in self._outline.classes and unqualified_type(each.type) != kind and
                   self._has_special_function(unqualified_type(each.type), name) for each in it.members):  # fmt: skip
                return True
        return name in self._outline.functions

    def _destroy_object(self, kind: str, place: Place | None) -> None:
        for it in self._outline.bases_of(kind):
            for each in self._outline.functions.get(f"~{it.name}", ()):
                self._call_function(each, [], place, {})
            for member in it.members:
                if self._has_special_function(unqualified_type(member.type), f"~{unqualified_type(member.type)}"):
                    within = (place[0], (*place[1], member.name)) if place is not None else None
                    self._destroy_object(unqualified_type(member.type), within)
