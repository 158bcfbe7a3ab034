"""Calls of an abstract interpreter of host code: of functions in sight, of lambdas, and of what is out of sight."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow import abstract_values as values
from occupancy_lsp.source.dataflow.abstract_expressions import FLOATING, INTEGERS, Expressions
from occupancy_lsp.source.dataflow.abstract_memory import (
    CELLS_A_STEP,
    DEEPEST,
    Bindings,
    Given,
    Gone,
    Jumps,
    Names,
    Unfollowed,
)
from occupancy_lsp.source.dataflow.abstract_objects import CONTAINER, MOST_ITEMS, STRING
from occupancy_lsp.source.dataflow.abstract_values import (
    NONNULL,
    Closure,
    Named,
    Place,
    Pointer,
    Record,
    String,
    Unsigned,
    Value,
    convert_to_type,
    join_states,
    join_values,
    unqualified_type,
)
from occupancy_lsp.source.dataflow.program_outline import FunctionOutline, ParameterOutline, declared_name
from occupancy_lsp.source.dataflow.scope_of_effect import NO_RETURN
from occupancy_lsp.source.lower.declarations import lambda_parameters
from occupancy_lsp.source.syntax.parser import text

# Functions of libraries: they change nothing of the program but what they are given.
_LIBRARY = regex(
    r"(?:::)?(?:std::.*|(?:cuda|hip|cu|cl|__)[A-Z_].*|f?printf|s?n?printf|f?puts|putchar|fflush|ato[ifl]|strto\w+|getenv"
    r"|mem(?:cpy|set|cmp)|str\w+|malloc|calloc|free|s?rand|time|clock|f?abs|sqrt|ceil|floor|u?sleep|setjmp|perror"
    r"|fopen|fclose|is\w+|to(?:upper|lower))"
)
# Those that only read what they are given.
_READING = regex(
    r"(?:::)?(?:std::)?(?:f?printf|f?puts|putchar|str(?:n?cmp|len|chr|str)|memcmp|ato[ifl]|getenv|min|max|f?abs|free|sqrt"
    r"|ceil|floor|size|empty|perror|cudaFree|hipFree)"
)
# Those that throw nothing.
_QUIET = regex(
    r"(?:::)?(?!std::)\w+|(?:::)?std::(?:min|max|abs|ceil|floor|sqrt|fabs|printf|move|forward|size|getenv|puts|rand|swap"
    r"|exchange|\w+_error|invalid_argument|out_of_range|bad_\w+|exception)"
)
_ASSERT = "assert"


class Calls(Expressions):
    def _run_statement(self, node: Node, names: Names) -> None:
        raise NotImplementedError

    def _evaluate_call(self, node: Node, names: Names) -> Value:
        called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        listed = [it for it in given.named_children if it.type != "comment"] if given is not None else []
        if called is None:
            raise Unfollowed
        if any(it.type == "kernel_call_syntax" for it in node.named_children):
            for it in node.named_children:
                if it.type == "kernel_call_syntax":
                    for each in it.named_children:
                        self._evaluate(each, names)
            for it in listed:
                self._evaluate(it, names)
            return None
        cast = self._evaluate_functional_cast(called, listed, given, names)
        if cast is not None:
            return cast[0]
        arguments = [self._evaluate_argument(it, names) for it in listed]
        if called.type == "field_expression":
            return self._call_method(called, arguments, names)
        return self._call_named(called, arguments, names)

    def _evaluate_functional_cast(
        self, called: Node, listed: Sequence[Node], given: Node | None, names: Names
    ) -> tuple[Value] | None:
        said = "".join(text(called).split("<")[0].split())
        if called.type == "template_function" and said.endswith("_cast") and len(listed) == 1:
            asked = called.child_by_field_name("arguments")
            value, place = self._evaluate_argument(listed[0], names)
            if said.startswith(("const", "reinterpret")) and place is not None:
                self._shared.add(place[0])
            return (self._cast_to(text(asked)[1:-1] if asked is not None else "", value, names),)
        kind = unqualified_type(text(called))
        bound = names.bound.get(kind)
        kind = bound if isinstance(bound, str) else kind
        if called.type == "primitive_type" or kind == "dim3":
            return (self._construct_from_list(kind, given, names),) if given is not None else None
        library = kind not in self._outline.functions and (
            (CONTAINER.fullmatch(kind) and not kind.isidentifier()) or STRING.fullmatch(kind)
        )
        if (kind in self._outline.classes or library) and given is not None:
            return (self._evaluate_temporary(kind, given, names),)
        return None

    def _call_method(self, called: Node, arguments: Sequence[Given], names: Names) -> Value:
        argument, member = called.child_by_field_name("argument"), called.child_by_field_name("field")
        label = text(member).split("<")[0] if member is not None else ""
        whole: Place | None
        if argument is not None and argument.type == "this":
            whole = names.this
            value: Value = self._read(whole) if whole is not None else None
        elif "->" in text(called)[len(text(argument)) if argument is not None else 0 :][:4]:
            held = self._evaluate(argument, names)
            whole = held.to if isinstance(held, Pointer) else None
            value = self._read(whole) if whole is not None else None
        else:
            whole = self._evaluate_place(argument, names)
            value = self._read(whole) if whole is not None else self._evaluate(argument, names)
        if isinstance(value, Record):
            held_member = value.members.get(label)
            if isinstance(held_member, Closure | Named):
                return self._call_value(held_member, arguments, label)
            found = [it for it in self._outline.methods_by_name(value.kind, label) if it.takes(len(arguments))]
            if found:
                return self._call_one_of(found, arguments, whole or self._allocate_cell(value), {})
        if isinstance(value, values.Elements | String) or (value == 0 or value is NONNULL):
            known = self._call_library_method(label, value, whole, arguments)
            if known is not None:
                return known[0]
        for it in self._outline.functions.get(label, ()):
            if it.owner:
                self._maybe_call(it, None)
        if whole is not None and label not in ("c_str", "data", "at", "find", "count", "str", "get"):
            self._forget_place(whole)
        return self._call_unknown_function(f".{label}", arguments)

    def _call_library_method(
        self, label: str, value: Value, place: Place | None, arguments: Sequence[Given]
    ) -> tuple[Value] | None:
        """What a method of a container, a string, or of what holds a value or none returns."""
        items = value.items if isinstance(value, values.Elements) else value if isinstance(value, String) else None
        if label in ("size", "length", "empty") and isinstance(value, values.Elements | String):
            if items is None:
                return (None,)
            return (Unsigned(len(items)) if label != "empty" else int(not items),)
        if isinstance(value, values.Elements) and value.items is not None and place is not None:
            if label in ("push_back", "emplace_back") and len(arguments) == 1 and len(value.items) < MOST_ITEMS:
                self._write(place, values.Elements((*value.items, arguments[0][0])))
                return (None,)
            if label == "clear":
                self._write(place, values.Elements(()))
                return (None,)
            if label == "at":
                index = arguments[0][0] if arguments else None
                if isinstance(index, int) and 0 <= index < len(value.items):
                    return (value.items[index],)
                self._record_throw(None)
                if not value.items or isinstance(index, int):
                    raise Gone
                return (None,)
            if label == "resize" and isinstance(count := arguments[0][0], int) and 0 <= count <= MOST_ITEMS:
                self._write(place, values.Elements((*value.items[:count], *[0] * (count - len(value.items)))))
                return (None,)
        if isinstance(value, int | values.NonNull):
            if label in ("has_value", "get"):
                return (int(value is NONNULL) if label == "has_value" else value,)
            if label == "reset" and place is not None and not arguments:
                self._write(place, 0)
                return (None,)
        return None

    def _call_named(self, called: Node, arguments: Sequence[Given], names: Names) -> Value:
        said = "".join(text(called).split())
        name, given = said, ""
        if called.type in ("template_function", "qualified_identifier") and said.endswith(">"):
            name, _, given = said[:-1].partition("<")
        label = name.rpartition("::")[2]
        if called.type not in ("identifier", "qualified_identifier", "template_function"):
            return self._call_value(self._evaluate(called, names), arguments, "")
        place = self._place_of_variable(name, names) if "::" not in name else None
        if place is not None:
            return self._call_value(self._read(place), arguments, "")
        if names.this is not None or names.owner:
            found = [it for it in self._outline.methods_by_name(names.owner, label) if it.takes(len(arguments))]
            if found and "::" not in name:
                return self._call_one_of(found, arguments, names.this, {})
        path = "::" + name.removeprefix("::")
        each = [
            it
            for it in self._outline.functions.get(label, ())
            if f"::{it.path}".endswith(path) or (not it.owner and "::" not in name)
        ]
        if not each and not name.startswith(("std::", "::")):  # by another name of its namespace
            each = list(self._outline.functions.get(label, ())) if "::" in name else []
        fitting = [it for it in each if _may_accept_arguments(it, arguments) and not it.device]
        if fitting:
            return self._call_one_of(fitting, arguments, None, self._template_bindings(fitting[0], given))
        if name == _ASSERT and self._asserts and len(arguments) == 1:
            if self._truth(arguments[0][0]) is False:
                raise Gone
            return None
        if name in NO_RETURN or name in ("longjmp", "std::longjmp") or (label in self._outline.leaving and not each):
            for it, _ in arguments:
                self._call_escaped_value(it)
            raise Gone
        known = self._evaluate_library_function(name, arguments)
        self._assume_library_may_construct(given)
        return known[0] if known is not None else self._call_unknown_function(name, arguments)

    def _template_bindings(self, function: FunctionOutline, given: str) -> Bindings:
        """What template parameters stand for, where they are written out as numbers or types."""
        bound: dict[str, Value | str] = dict.fromkeys(function.template)
        for name, said in zip(function.template, given.split(",") if given else (), strict=False):
            number = regex(r"\d+").fullmatch(said)
            if number is not None or said in ("true", "false"):
                bound[name] = int(said) if number is not None else int(said == "true")
            elif said in (*FLOATING, *INTEGERS):
                bound[name] = said
        return bound

    def _evaluate_library_function(self, name: str, arguments: Sequence[Given]) -> tuple[Value] | None:
        label, given = name.rpartition("::")[2], [it for it, _ in arguments]
        numbers = [it for it in given if isinstance(it, int | float)]
        if label in ("min", "max") and len(given) == len(numbers) == 2:
            return (min(numbers) if label == "min" else max(numbers),)
        if label in ("ceil", "floor", "ceilf", "floorf") and len(given) == 1 and isinstance(given[0], int | float):
            whole = int(given[0] // 1)
            return (float(whole + (label.startswith("ceil") and whole != given[0])),)
        if label == "strcmp" and all(isinstance(it, str) for it in given):
            return (int(given[0] != given[1]),)
        if label == "strlen" and len(given) == 1 and isinstance(given[0], str):
            return (Unsigned(len(given[0])),)
        if label in ("move", "forward", "abs") and len(given) == 1:
            value = given[0]
            return (
                abs(value) if label == "abs" and isinstance(value, int | float) else value if label != "abs" else None,
            )
        places = [it for _, it in arguments]
        if label in ("swap", "exchange") and len(arguments) == 2 and places[0] is not None:
            self._write(places[0], given[1])
            if label == "swap" and places[1] is not None:
                self._write(places[1], given[0])
            return (given[0],)
        if label in ("make_unique", "make_shared"):
            self._call_unknown_function(name, arguments)
            return (NONNULL,)
        return None

    def _call_one_of(
        self, each: Sequence[FunctionOutline], arguments: Sequence[Given], this: Place | None,
        bound: Bindings,
    ) -> Value:  # fmt: skip
        """Of one of several functions, all that it may be."""
        if len(each) == 1:
            return self._call_function(each[0], arguments, this, bound)

        def call_remaining() -> Value:
            return self._call_one_of(each[1:], arguments, this, bound)

        return self._evaluate_branches(
            None, lambda: self._call_function(each[0], arguments, this, bound), call_remaining
        )

    def _call_value(self, value: Value, arguments: Sequence[Given], label: str) -> Value:
        if isinstance(value, Closure):
            return self._call_closure(value, arguments)
        if isinstance(value, Named):
            each = [it for it in self._outline.functions.get(value.function, ()) if it.takes(len(arguments))]
            if each:
                return self._call_one_of(each, arguments, None, {})
        if isinstance(value, Record):
            each = [it for it in self._outline.methods_by_name(value.kind, "operator()") if it.takes(len(arguments))]
            if each:
                return self._call_one_of(each, arguments, self._allocate_cell(value), {})
        for name in sorted(self._named):
            for it in self._outline.functions.get(name, ()):
                self._maybe_call(it, None)
        for it in self._outline.functions.get("operator()", ()):
            self._maybe_call(it, None)
        return self._call_unknown_function(label or "?", arguments)

    def _call_closure(self, closure: Closure, arguments: Sequence[Given]) -> Value:
        node = self._lambdas[closure.start]
        listed = lambda_parameters(node)
        parameters = [it for it in listed.named_children if "parameter" in it.type] if listed is not None else []
        names = self._around[closure.around].inner()
        for index, it in enumerate(parameters):
            said = it.child_by_field_name("declarator")
            value, place = arguments[index] if index < len(arguments) else (None, None)
            if said is not None:
                refers = said.type == "reference_declarator" and place is not None
                names.own[declared_name(said)] = place if refers and place is not None else self._allocate_cell(
                    convert_to_type(self._declared_type(it), value))  # fmt: skip
        return self._run_body(node.child_by_field_name("body"), names)

    def _call_function(
        self, function: FunctionOutline, arguments: Sequence[Given], this: Place | None,
        bound: Bindings,
    ) -> Value:  # fmt: skip
        owner = function.owner
        names = Names(None, this, owner, bound or dict.fromkeys(function.template))
        for index, it in enumerate(function.parameters):
            kind = unqualified_type(it.type)
            if index < len(arguments):
                value, place = arguments[index]
            else:
                value, place = (self._evaluate(it.default, names) if it.default is not None else None), None
            if it.refers and place is not None:
                names.own[it.name] = place
                continue
            if it.type == "...":
                names.own[it.name] = self._allocate_cell(None)
                continue
            plain = (
                self._decay_array(value, place) if it.type.endswith("*") else self._convert_to_type(kind, value, names)
            )
            names.own[it.name] = cell = self._allocate_cell(plain)
            self._types[cell[0]] = "" if it.type.endswith("*") else kind
        for part in function.node.named_children:
            if part.type == "field_initializer_list" and this is not None:
                self._initialise_members(part, this, names)
        result = self._run_body(function.body, names)
        return convert_to_type(self._declared_type(function.node), result)

    def _initialise_members(self, node: Node, this: Place, names: Names) -> None:
        for it in node.named_children:
            if len(it.named_children) != 2:
                continue
            label, given = text(it.named_children[0]), it.named_children[1]
            whole = self._read(this)
            kind = self._type_at((this[0], (*this[1], label))) if isinstance(whole, Record) else ""
            if isinstance(whole, Record) and label in whole.members:
                self._write((this[0], (*this[1], label)), self._construct_from_list(kind, given, names))
                continue
            arguments = [self._evaluate_argument(each, names) for each in given.named_children]
            for each in [made for made in self._constructors(label.split("<")[0]) if made.takes(len(arguments))]:
                self._call_function(each, arguments, this, {})

    def _run_body(self, body: Node | None, names: Names) -> Value:
        if body is None:
            return None
        if self._depth > DEEPEST:
            raise Unfollowed
        self._depth += 1
        outer, self._jumps, made = self._jumps, Jumps(body.end_byte), self._cells
        try:
            self._run_statement(body, names)
            if self._jumps.gotos:
                raise Unfollowed
            result = self._jumps.results[0] if self._jumps.results else None
            for it in self._jumps.results[1:]:
                result = join_values(result, it)
            for state in self._jumps.returned:
                self._state = join_states(self._state, state)
            self._discard_cells(made)
        finally:
            self._jumps = outer
            self._depth -= 1
        self._require_state()
        return result

    def _call_escaped_value(self, value: Value) -> None:
        """What is given to code out of sight may be called there, more than once."""
        if isinstance(value, Closure):
            for _ in range(2):
                self._evaluate_branches(None, lambda: self._call_closure(value, ()), lambda: None)
        elif isinstance(value, Named):
            for it in self._outline.functions.get(value.function, ()):
                self._maybe_call(it, None)
        elif isinstance(value, Record):
            owners = {it.name for it in self._outline.bases_of(value.kind)}
            methods = [it for named in self._outline.functions.values() for it in named if it.owner in owners]
            for it in methods:
                self._maybe_call(it, None)

    def _call_unknown_function(self, name: str, arguments: Sequence[Given]) -> Value:
        """A call out of sight, or the making of an object there: it may change and call what it is given, and throw."""
        reads = _READING.fullmatch(name) is not None
        for value, place in arguments:
            self._call_escaped_value(value)
            for it in (place, value.to if isinstance(value, Pointer) else None):
                if it is not None and not reads:
                    self._forget_place((it[0], ()))
                    self._shared.add(it[0])
        if not _LIBRARY.fullmatch(name) and not name.startswith(".") and name:
            state = self._require_state()
            self._steps.take(len(self._shared) // CELLS_A_STEP)
            for cell in self._shared & state.keys():
                state[cell] = values.forgotten_value(state[cell])
        if not (_LIBRARY.fullmatch(name) and _QUIET.fullmatch(name)) and name:
            self._record_throw(None)
        return None


def _may_accept_arguments(function: FunctionOutline, arguments: Sequence[Given]) -> bool:
    """Whether a call with these may mean the function, by their number, and of numbers and literals by their types."""

    def cannot_convert(parameter: ParameterOutline, value: Value) -> bool:
        kind = unqualified_type(parameter.type)
        if isinstance(value, str):
            return kind in (*INTEGERS, *FLOATING)
        return isinstance(value, int | float) and value != 0 and kind.endswith("*")

    if not function.takes(len(arguments)):
        return False
    return not any(cannot_convert(it, value) for it, (value, _) in zip(function.parameters, arguments, strict=False))
