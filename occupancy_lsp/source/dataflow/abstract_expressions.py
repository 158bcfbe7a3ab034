"""Expressions of an abstract interpreter of host code, but for calls: what they name in memory, and their values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow import abstract_values as values
from occupancy_lsp.source.dataflow.abstract_memory import Given, Names
from occupancy_lsp.source.dataflow.abstract_objects import Objects
from occupancy_lsp.source.dataflow.abstract_values import (
    NONNULL,
    Closure,
    Named,
    Place,
    Pointer,
    Record,
    Unsigned,
    Value,
    apply_binary_operator,
    convert_to_type,
    unqualified_type,
)
from occupancy_lsp.source.syntax.parser import subscript_indices, text

FLOATING = ("float", "double", "long double")
INTEGERS = ("int", "unsigned", "unsigned int", "long", "short", "char", "bool", "size_t", "long long", "unsigned char")
_FAILURE = regex(r"(?:cudaError|hipError)[A-Z]\w*")
_EMPTY = ("nullopt", "NULL", "cudaSuccess", "hipSuccess", "CL_SUCCESS", "EXIT_SUCCESS")
_ESCAPES = {"\\0": 0, "\\n": 10, "\\t": 9, "\\r": 13, "\\\\": 92, "\\'": 39}
_SIZES = {"int": 4, "unsigned": 4, "unsigned int": 4, "float": 4, "double": 8, "char": 1, "short": 2, "long": 8}
_TRAIT = regex(r"(?:std::)?(is_\w+?)(_v)?<(.*)>(?:(?(2)|::value))")
_DECIMAL = regex(r"[0-9]+[ul]*")


class Expressions(Objects):
    def _evaluate_argument(self, node: Node, names: Names) -> Given:
        place = self._evaluate_place(node, names)
        value = self._read(place) if place is not None else self._evaluate(node, names)
        if value is None and node.type == "identifier" and text(node) in self._outline.functions:
            self._named.add(text(node))
            return Named(text(node)), None
        return value, place

    def _evaluate_place(self, node: Node | None, names: Names) -> Place | None:
        """What an expression names in memory; None: that is not known, or it is but a value."""
        if node is None:
            return None
        if node.type == "identifier":
            return self._place_of_variable(text(node), names)
        if node.type == "qualified_identifier":
            return self._place_of_global("".join(text(node).split()))
        if node.type == "parenthesized_expression" and node.named_children:
            return self._evaluate_place(node.named_children[-1], names)
        if node.type == "this":
            return None
        if node.type == "field_expression":
            return self._place_of_member(node, names)
        if node.type == "subscript_expression":
            array, held = self._evaluate_place(node.child_by_field_name("argument"), names), None
            (index,) = [self._evaluate(it, names) for it in subscript_indices(node)][:1] or [None]
            if array is not None:
                held = self._read(array)
            known = index if isinstance(index, int) else None
            if isinstance(held, Pointer):
                return values.advance_pointer(held, known).to
            if array is not None and isinstance(held, values.Elements):
                return array[0], (*array[1], known)
        if node.type == "pointer_expression" and text(node).startswith("*"):
            value = self._evaluate(node.child_by_field_name("argument"), names)
            return value.to if isinstance(value, Pointer) else None
        return None

    def _place_of_member(self, node: Node, names: Names) -> Place | None:
        argument, member = node.child_by_field_name("argument"), node.child_by_field_name("field")
        label = text(member) if member is not None else ""
        if argument is not None and argument.type == "this":
            whole = names.this
        elif "->" in text(node)[len(text(argument)) if argument is not None else 0 :][:4]:
            value = self._evaluate(argument, names)
            whole = value.to if isinstance(value, Pointer) else None
        else:
            whole = self._evaluate_place(argument, names)
        return (whole[0], (*whole[1], label)) if whole is not None else None

    def _place_of_variable(self, name: str, names: Names) -> Place | None:
        found = names.find(name)
        if found is not None:
            return found
        if names.this is not None:
            whole = self._read(names.this)
            if isinstance(whole, Record) and name in whole.members:
                return names.this[0], (*names.this[1], name)
        return self._place_of_global(name, names.owner)

    def _evaluate_number(self, node: Node, names: Names) -> Value:
        said = text(node).replace("'", "").lower()
        sign, said = (-1, said[1:]) if said.startswith("-") else (1, said)
        try:
            if said.startswith("0x"):
                number: float = int(said.rstrip("ul"), 16)
            elif _DECIMAL.fullmatch(said):
                digits = said.rstrip("ul")
                number = int(digits, 8 if digits.startswith("0") and len(digits) > 1 else 10)
            elif said.endswith("f"):
                return values.round_to_float(sign * float(said[:-1]))
            else:
                return sign * float(said)
        except ValueError:
            return None
        return Unsigned(number) if "u" in said and sign > 0 else sign * number

    def _evaluate_character(self, node: Node, names: Names) -> Value:
        said = text(node).strip("'")
        return ord(said) if len(said) == 1 else _ESCAPES.get(said)

    def _evaluate_string(self, node: Node, names: Names) -> Value:
        return "".join(text(it)[1:-1] for it in (node.named_children if node.type == "concatenated_string" else [node]))

    def _evaluate_name(self, node: Node, names: Names) -> Value:
        name = "".join(text(node).split())
        place = self._place_of_variable(name, names) if "::" not in name else self._place_of_global(name)
        if place is not None:
            return self._read(place)
        if name in names.bound:
            bound = names.bound[name]
            return None if isinstance(bound, str) else bound
        if name in self._enumerators:
            return self._enumerators[name]
        parts = name.split("::")
        if len(parts) > 1 and "::".join(parts[-2:]) in self._enumerators:
            return self._enumerators["::".join(parts[-2:])]
        if parts[-1] in _EMPTY:
            return 0
        if _FAILURE.fullmatch(parts[-1]):
            return NONNULL
        if parts[-1] in self._outline.functions:
            self._named.add(parts[-1])
            return Named(parts[-1])
        return self._evaluate_type_trait(name, names)

    def _evaluate_type_trait(self, name: str, names: Names) -> Value:
        """`std::is_same<T, float>::value` and its like."""
        found = _TRAIT.fullmatch(name)
        if found is None:
            return None
        given = [it.strip() for it in found[3].split(",")]
        types = [bound if isinstance(bound := names.bound.get(it, it), str) else None for it in given]
        if None in types or any(it in names.bound and not isinstance(names.bound[it], str) for it in given):
            return None
        words = [unqualified_type(str(it)) for it in types]
        if found[1] == "is_same" and len(words) == 2:
            plain = (*FLOATING, *INTEGERS)
            return int(words[0] == words[1]) if words[0] in plain and words[1] in plain else None
        if len(words) == 1 and words[0] in (*FLOATING, *INTEGERS):
            asked = {"is_floating_point": FLOATING, "is_integral": INTEGERS}.get(found[1])
            return int(words[0] in asked) if asked is not None else None
        return None

    def _evaluate_this(self, node: Node, names: Names) -> Value:
        return Pointer(names.this) if names.this is not None else NONNULL

    def _evaluate_inner(self, node: Node, names: Names) -> Value:
        return self._evaluate(next((it for it in node.named_children if it.type != "comment"), None), names)

    def _evaluate_comma(self, node: Node, names: Names) -> Value:
        self._evaluate(node.child_by_field_name("left"), names)
        return self._evaluate(node.child_by_field_name("right"), names)

    def _evaluate_binary(self, node: Node, names: Names) -> Value:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = text(node.child_by_field_name("operator") or node)
        if sign in ("&&", "||", "and", "or"):
            one = self._truth(self._evaluate(left, names))
            decides = sign in ("||", "or")

            def truth_of_right() -> Value:
                found = self._truth(self._evaluate(right, names))
                return None if found is None else int(found)

            return (
                self._evaluate_branches(one, lambda: 1, truth_of_right)
                if decides
                else self._evaluate_branches(one, truth_of_right, lambda: 0)
            )
        one_value, other_value = self._evaluate(left, names), self._evaluate(right, names)
        own = any(it is None or isinstance(it, Record) for it in (one_value, other_value))
        made = (
            self._call_overloaded_operator(sign, left, names, [(other_value, self._evaluate_place(right, names))])
            if own
            else None
        )
        if made is not None:
            return made[0]
        if sign in ("<<", ">>") and left is not None and not isinstance(one_value, int):
            place = self._evaluate_place(right, names) if sign == ">>" else None
            if place is not None:
                self._write(place, None)
            return None
        if isinstance(one_value, Record | values.Elements) or isinstance(other_value, Record | values.Elements):
            return None
        return apply_binary_operator(sign, one_value, other_value)

    def _call_overloaded_operator(
        self, sign: str, node: Node | None, names: Names, others: Sequence[Given] = ()
    ) -> Given | None:
        """Those of the program, wherever an operand may be of a class; what they return if one is surely meant."""
        each = self._outline.functions.get(f"operator{sign}", ())
        place = self._evaluate_place(node, names)
        whole = self._read(place) if place is not None else None
        if len(each) == 1 and isinstance(whole, Record) and place is not None:
            (only,) = each
            given = list(others) if only.owner else [(whole, place), *others]
            owners = {it.name for it in self._outline.bases_of(whole.kind)}
            if len(given) == len(only.parameters) and (not only.owner or only.owner in owners):
                return self._call_function(only, given, place if only.owner else None, {}), None
        for it in each:
            self._maybe_call(it, place if it.owner and isinstance(whole, Record) else None)
        return (None, None) if each else None

    def _evaluate_unary(self, node: Node, names: Names) -> Value:
        argument = node.child_by_field_name("argument")
        sign = text(node.child_by_field_name("operator") or node)[:1]
        value = self._evaluate(argument, names)
        own = sign != "!" and (value is None or isinstance(value, Record))
        made = self._call_overloaded_operator(sign, argument, names) if own else None
        if made is not None:
            return made[0]
        if sign == "!" or text(node).startswith("not "):
            holds = self._truth(value)
            return None if holds is None else int(not holds)
        if not isinstance(value, int | float):
            return None
        if sign == "-":
            return apply_binary_operator("-", 0, value) if not isinstance(value, float) else -value
        if sign == "~":
            return ~value if isinstance(value, int) and not isinstance(value, Unsigned) else None
        return value if sign == "+" else None

    def _evaluate_pointer_expression(self, node: Node, names: Names) -> Value:
        argument = node.child_by_field_name("argument")
        if text(node).startswith("&"):
            place = self._evaluate_place(argument, names)
            if place is None and argument is not None and text(argument).rpartition("::")[2] in self._outline.functions:
                return self._evaluate_name(argument, names)
            return Pointer(place) if place is not None else NONNULL
        place = self._evaluate_place(node, names)
        if place is None:
            made = self._call_overloaded_operator("*", argument, names)
            return made[0] if made is not None else None
        return self._read(place) if place is not None else None

    def _evaluate_member_or_element(self, node: Node, names: Names) -> Value:
        place = self._evaluate_place(node, names)
        if place is not None:
            return self._read(place)
        argument = node.child_by_field_name("argument")
        value = self._evaluate(argument, names)
        member = node.child_by_field_name("field")
        if isinstance(value, Record) and member is not None and "->" not in text(node):
            return value.members.get(text(member))
        if node.type == "subscript_expression":
            given = [self._evaluate_argument(it, names) for it in subscript_indices(node)]
            made = self._call_overloaded_operator("[]", argument, names, given)
            return made[0] if made is not None else None
        return None

    def _evaluate_conditional(self, node: Node, names: Names) -> Value:
        holds = self._evaluate_truth(node.child_by_field_name("condition") or node, names)
        first, second = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        return self._evaluate_branches(
            holds, lambda: self._evaluate(first, names), lambda: self._evaluate(second, names)
        )

    def _evaluate_assignment(self, node: Node, names: Names) -> Value:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = text(node.child_by_field_name("operator") or node)
        listed = right is not None and right.type == "initializer_list"
        value = None if listed else self._evaluate(right, names)
        place = self._evaluate_place(left, names)
        before = self._read(place) if place is not None else None
        own = isinstance(before, Record) or (before is None and sign != "=")
        made = self._call_overloaded_operator(sign, left, names, [(value, None)]) if own else None
        if made is not None:
            return made[0]
        if sign != "=":
            value = apply_binary_operator(sign[:-1], before, value)
        if place is None:
            self._evaluate(left, names)
            self._forget_possible_targets(left, names)
            return value
        kind = self._type_at(place)
        if listed and right is not None:
            value = self._construct_from_list(kind, right, names)
        value = self._convert_to_type(kind, value, names) if kind else value
        if isinstance(before, values.Elements) and not isinstance(value, values.Elements):
            value = values.Elements(None)
        self._write(place, value)
        return value

    def _forget_possible_targets(self, node: Node | None, names: Names) -> None:
        """What is written through something that is not known may be all that is named there, or anything."""
        todo, known = [node] if node is not None else [], False
        while todo:
            it = todo.pop()
            todo += it.named_children
            place = self._evaluate_place(it, names) if it.type == "identifier" else None
            held = self._read(place) if place is not None else None
            if place is not None:
                self._forget_place((held.to[0], ()) if isinstance(held, Pointer) else place)
            known = known or isinstance(held, Pointer | Record | values.Elements)
        if not known:
            for cell, value in [*self._require_state().items()]:
                if cell > 0:
                    self._require_state()[cell] = values.forgotten_value(value)

    def _evaluate_increment(self, node: Node, names: Names) -> Value:
        argument = node.child_by_field_name("argument")
        said = text(node)
        place = self._evaluate_place(argument, names)
        if place is None:
            self._evaluate(argument, names)
            self._forget_possible_targets(argument, names)
            return None
        before = self._read(place)
        sign = "+" if "++" in (said[:2], said[-2:]) else "-"
        made = (
            self._call_overloaded_operator(sign * 2, argument, names)
            if before is None or isinstance(before, Record)
            else None
        )
        if made is not None:
            return made[0]
        after = convert_to_type(self._type_at(place), apply_binary_operator(sign, before, 1))
        self._write(place, after)
        return after if said.startswith(sign * 2) else before

    def _evaluate_cast(self, node: Node, names: Names) -> Value:
        kind = node.child_by_field_name("type")
        return self._cast_to(
            text(kind) if kind is not None else "", self._evaluate(node.child_by_field_name("value"), names), names
        )

    def _cast_to(self, kind: str, value: Value, names: Names) -> Value:
        bare = unqualified_type(kind)
        if bare.endswith("*"):
            if isinstance(value, Pointer):
                self._opaque.add(value.to[0])
            return value if isinstance(value, int) else NONNULL
        return self._convert_to_type(bare, value, names)

    def _evaluate_braced(self, node: Node, names: Names) -> Value:
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        return self._evaluate_temporary(unqualified_type(text(kind)) if kind is not None else "", value, names)

    def _evaluate_temporary(self, kind: str, given: Node | None, names: Names) -> Value:
        made = self._construct_from_list(kind, given, names) if given is not None else None
        if kind in self._outline.classes and self._has_special_function(kind, f"~{kind}"):
            self._destroy_object(kind, self._allocate_cell(made))
        return made

    def _evaluate_sizeof(self, node: Node, names: Names) -> Value:
        kind = node.child_by_field_name("type")
        said = unqualified_type(text(kind)) if kind is not None else ""
        if said.endswith("*"):
            return Unsigned(8)
        return Unsigned(_SIZES[said]) if said in _SIZES else None

    def _evaluate_new(self, node: Node, names: Names) -> Value:
        kind = node.child_by_field_name("type")
        label = unqualified_type(text(kind)) if kind is not None else ""
        given = node.child_by_field_name("arguments")
        self._record_throw(None)
        if label in self._outline.classes:
            made = (
                self._construct_from_list(label, given, names)
                if given is not None
                else self._construct(label, [], False)
            )
            return Pointer(self._keep_after_call(self._allocate_cell(made)))
        if given is not None:
            self._construct_from_list(label, given, names)
        return NONNULL

    def _evaluate_delete(self, node: Node, names: Names) -> Value:
        value = self._evaluate_inner(node, names)
        whole = self._read(value.to) if isinstance(value, Pointer) else None
        if isinstance(whole, Record) and isinstance(value, Pointer):
            self._destroy_object(whole.kind, value.to)
        elif value is None or value is NONNULL:
            for name in [it for it in self._outline.functions if it.startswith("~")]:
                for each in self._outline.functions[name]:
                    self._maybe_call(each, None)
        return None

    def _evaluate_lambda(self, node: Node, names: Names) -> Value:
        around = names.inner()
        for it in node.named_children:
            if it.type == "lambda_capture_specifier":
                self._bind_captures(it, names, around)
        self._around.append(around)
        self._lambdas[node.start_byte] = node
        return Closure(node.start_byte, len(self._around) - 1)

    def _bind_captures(self, node: Node, names: Names, around: Names) -> None:
        by_copy = text(node).startswith("[=")
        for before, it in pairwise((node, *node.children)):
            left, refers = it.child_by_field_name("left"), before.type == "&"
            if left is not None:
                around.own[text(left)] = self._keep_after_call(
                    self._allocate_cell(self._evaluate(it.child_by_field_name("right"), names))
                )
            elif it.type == "identifier" and not refers and (place := names.find(text(it))) is not None:
                around.own[text(it)] = self._keep_after_call(self._allocate_cell(self._read(place)))
        outer: Names | None = names if by_copy else None
        while outer is not None:
            for name, place in outer.own.items():
                value = self._require_state().get(place[0]) if not place[1] else self._read(place)
                around.own.setdefault(name, self._keep_after_call(self._allocate_cell(value)))
            outer = outer.outer
