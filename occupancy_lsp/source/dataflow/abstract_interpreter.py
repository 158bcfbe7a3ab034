"""Runs a program's host code over values of which some are not known, to see what of it may run.

Where a condition is not known, both of its sides run, and what they leave is joined; loops run until nothing changes
any more. What is out of sight may return anything, throw, change what it is given and call what it is given. Where that
is not enough, or takes too many steps, nothing is found out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tree_sitter import Node

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow import abstract_values as values
from occupancy_lsp.source.dataflow.abstract_calls import Calls
from occupancy_lsp.source.dataflow.abstract_memory import Names, Unfollowed
from occupancy_lsp.source.dataflow.abstract_objects import CONTAINER
from occupancy_lsp.source.dataflow.abstract_values import (
    Record,
    State,
    Value,
    apply_binary_operator,
    convert_to_type,
    join_states,
    truth,
    unqualified_type,
)
from occupancy_lsp.source.dataflow.program_outline import (
    FunctionOutline,
    ProgramOutline,
    declared_name,
    outline_of,
)
from occupancy_lsp.source.lex.work_limits import TooLarge
from occupancy_lsp.source.syntax.parser import parse, text

_MOST_ROUNDS = 40  # of a loop whose condition is known; then any number of them
_WORD = regex(r"[A-Za-z_]\w*")
_LABEL = regex(rb"([A-Za-z_]\w*)\s*:(?!:)")
# Exceptions of the standard library and what they inherit from.
_EXCEPTIONS: Mapping[str, str] = {
    "exception": "",
    **dict.fromkeys(("logic_error", "runtime_error", "bad_alloc", "bad_cast"), "exception"),
    **dict.fromkeys(("invalid_argument", "domain_error", "length_error", "out_of_range"), "logic_error"),
    **dict.fromkeys(("range_error", "overflow_error", "underflow_error", "system_error"), "runtime_error"),
}
_PLAIN = ("int", "const char*", "char*", "double", "float", "long")


def reached_places(code: bytes, asserts: bool, at: int) -> frozenset[int] | None:
    """Where the expressions start that may run: in a whole program, or else in the function around a place. None: that
    cannot be told. `asserts`: whether `assert` is compiled."""
    root, outline = _parse_and_outline(code)
    if root.has_error and any(it.type == "ERROR" or it.is_missing for it in root.named_children):
        return None
    each = [it for named in outline.functions.values() for it in named]
    around = [it for it in each if it.node.start_byte <= at < it.node.end_byte and not it.device]
    if not around:
        return None
    whole = any(it.path == "main" for it in outline.functions.get("main", ()))
    return _compute_reached_places(code, asserts, None if whole else around[0].node.start_byte)


@remembered(8)
def _compute_reached_places(code: bytes, asserts: bool, function: int | None) -> frozenset[int] | None:
    """`function`: where it starts that runs, whoever calls it; None: the program."""
    found = Interpreter(code, *_parse_and_outline(code), asserts)
    followed = found.run_program() if function is None else found.run_function(function)
    return frozenset(found.reached) if followed else None


@remembered(8)
def _parse_and_outline(code: bytes) -> tuple[Node, ProgramOutline]:
    root = parse(code)
    return root, outline_of(root)


class Interpreter(Calls):
    def run_program(self) -> bool:
        """Run `main`, and the functions that other files may call. False: it cannot be followed."""
        return self._run_if_possible(self._run_main)

    def run_function(self, start: int) -> bool:
        """Run the function that starts there, whoever calls it. False: it cannot be followed."""
        each = (it for named in self._outline.functions.values() for it in named if it.node.start_byte == start)
        return self._run_if_possible(lambda: self._run_with_unknown_arguments(next(each)))

    def _run_if_possible(self, run: Callable[[], None]) -> bool:
        try:
            run()
        except (Unfollowed, TooLarge, RecursionError):
            return False
        return True

    def _run_main(self) -> None:
        self._define_globals(True)
        start = dict(self._state or {})
        (main,) = self._outline.functions["main"][:1]
        with self._catch_end_of_path():
            self._call_function(main, [(None, None)] * len(main.parameters), None, {})
        words = _WORD.findall(text(self._root))
        for named in [*self._outline.functions.values()]:
            for it in named:
                if it is not main and not (it.own or it.device or it.template) and words.count(it.name) == 1:
                    self._state = {cell: None if cell in self._shared else value for cell, value in start.items()}
                    self._run_with_unknown_arguments(it, defined=True)

    def _run_with_unknown_arguments(self, function: FunctionOutline, defined: bool = False) -> None:
        if not defined:
            self._define_globals(False)
        with self._catch_end_of_path():
            self._call_function(function, [(None, None)] * len(function.parameters), None, {})

    def _define_globals(self, known: bool) -> None:
        """`known`: nothing has run before."""
        names = Names(None, None, "", {})
        for node in self._outline.enumerations:
            self._define_enumerators(node, names)
        for it in self._outline.variables:
            constant = "const" in text(it.declaration)[: it.declarator.start_byte - it.declaration.start_byte]
            place = self._allocate_cell(None)
            label = it.path.rpartition("::")[2]
            self._globals.setdefault(label, []).append((it.path, place))
            kind = self._declared_type(it.declaration)
            self._types[place[0]] = kind
            if known or constant:
                self._write(place, self._initial_value(kind, it.declarator, it.initial, names, zero=True))
            if not it.own:
                self._shared.add(place[0])

    def _define_enumerators(self, node: Node, names: Names) -> None:
        body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
        number: Value = -1
        for it in body.named_children if body is not None else ():
            if it.type != "enumerator":
                continue
            value = it.child_by_field_name("value")
            number = self._evaluate(value, names) if value is not None else apply_binary_operator("+", number, 1)
            label = text(it.child_by_field_name("name") or it)
            for key in (label, f"{text(name)}::{label}" if name is not None else label):
                self._enumerators[key] = number if self._enumerators.get(key, number) == number else None

    def _evaluate(self, node: Node | None, names: Names) -> Value:
        if node is None:
            return None
        self._steps.take()
        self._require_state()
        self.reached.add(node.start_byte)
        known = _EXPRESSIONS.get(node.type)
        if known is not None:
            return known(self, node, names)
        if node.type == "ERROR" or node.is_missing:
            raise Unfollowed
        for it in node.named_children:  # what it does besides
            if it.type not in _SILENT:
                self._evaluate(it, names)
        return None

    def _run_statement(self, node: Node, names: Names) -> None:
        if self._state is None and not self._jumps.gotos:
            return
        self._steps.take()
        step = _STATEMENTS.get(node.type)
        with self._catch_end_of_path():
            if step is not None:
                step(self, node, names)
            elif node.type == "ERROR" or node.is_missing:
                raise Unfollowed
            elif self._state is not None and node.type not in _SILENT:
                self._evaluate(node, names)

    def _run_block(self, node: Node, names: Names) -> None:
        inner, left = names.inner(), len(self._jumps.all_states())
        if self._state is None and b":" not in (node.text or b""):
            return
        for it in node.named_children:
            self._run_statement(it, inner)
        self._run_destructors(inner, left)

    def _run_destructors(self, names: Names, left: int) -> None:
        """What a block's own variables do at its end, however it is left."""
        for name, place in reversed([*names.own.items()]):
            kind = unqualified_type(names.types.get(name, ""))
            if not place[1] and self._has_special_function(kind, f"~{kind}"):
                whole, normal = self._state, self._state is not None
                for it in self._jumps.all_states()[left:]:
                    self._state = join_states(self._state, dict(it))
                for each in self._handlers[-1:]:
                    for it, _ in each:
                        self._state = join_states(self._state, dict(it))
                if self._state is not None:
                    with self._catch_end_of_path():
                        self._destroy_object(kind, place)
                self._state = self._state if normal else whole

    def _run_declaration(self, node: Node, names: Names) -> None:
        if self._state is None:
            return
        kind = self._declared_type(node)
        words = [text(it) for it in node.named_children if it.type == "storage_class_specifier"]
        for it in node.children_by_field_name("declarator"):
            makes = (
                unqualified_type(kind) in self._outline.classes
                or CONTAINER.fullmatch(unqualified_type(kind)) is not None
            )
            if "extern" in words or (it.type == "function_declarator" and not makes):
                continue
            value = it.child_by_field_name("value") or node.child_by_field_name("value")
            inner = (it.child_by_field_name("declarator") or it) if it.type == "init_declarator" else it
            name = declared_name(inner)
            if inner.type == "structured_binding_declarator":
                self._bind_structured_binding(inner, self._evaluate(value, names), names)
                continue
            if inner.type == "reference_declarator":
                place = self._evaluate_place(value, names) if value is not None else None
                names.own[name] = place or self._allocate_cell(self._evaluate(value, names))
                names.types[name] = ""
                continue
            if "static" in words:
                place = self._keep_after_call(
                    (self._statics.setdefault(it.start_byte, self._allocate_cell(None)[0]), ())
                )
                if place[0] not in self._require_state() or it.start_byte not in self._initialised_statics():
                    self._require_state()[-it.start_byte - 1] = 1
                    self._write(place, self._initial_value(kind, inner, value, names, zero=True))
            else:
                place = self._allocate_cell(None)
                self._write(place, self._initial_value(kind, inner, value, names, zero=False))
            self._types[place[0]] = kind if inner.type in ("identifier", "type_identifier") else ""
            whole = inner.type in ("identifier", "type_identifier") and "static" not in words
            names.own[name], names.types[name] = place, kind if whole else ""

    def _bind_structured_binding(self, node: Node, whole: Value, names: Names) -> None:
        parts = list(whole.members.values()) if isinstance(whole, Record) else []
        for index, it in enumerate(node.named_children):
            names.own[text(it)] = self._allocate_cell(parts[index] if index < len(parts) else None)

    def _initialised_statics(self) -> set[int]:
        return {-cell - 1 for cell in self._require_state() if cell < 0}

    def _run_if(self, node: Node, names: Names) -> None:
        inner = names.inner()
        first, second = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if self._state is None:  # a label within may be jumped to
            for it in (first, second):
                if it is not None:
                    self._run_statement(it, inner)
            return
        holds = self._evaluate_condition(node.child_by_field_name("condition"), inner)

        def run_branch(it: Node | None) -> Value:
            if it is not None:
                self._run_statement(it, inner)
            return None

        self._evaluate_branches(holds, lambda: run_branch(first), lambda: run_branch(second))

    def _run_else(self, node: Node, names: Names) -> None:
        for it in node.named_children:
            self._run_statement(it, names)

    def _evaluate_condition(self, node: Node | None, names: Names) -> bool | None:
        if node is None:
            return True
        start = node.child_by_field_name("initializer")
        if start is not None:
            self._run_statement(start, names)
            self._require_state()
        value = node.child_by_field_name("value")
        if value is None and node.type == "condition_clause":
            value = next(iter(node.named_children), None)
        return self._evaluate_truth(value or node, names)

    def _evaluate_truth(self, node: Node, names: Names) -> bool | None:
        if node.type == "declaration":
            self._run_declaration(node, names)
            name = next((declared_name(it) for it in node.children_by_field_name("declarator")), "")
            place = names.find(name)
            return self._truth(self._read(place)) if place is not None else None
        return self._truth(self._evaluate(node, names))

    def _run_children(self, node: Node, names: Names) -> None:
        for it in node.named_children:
            self._run_statement(it, names)

    def _run_for(self, node: Node, names: Names) -> None:
        inner, start = names.inner(), node.child_by_field_name("initializer")
        if start is not None and self._state is not None:
            self._run_statement(start, inner)
        condition, update = node.child_by_field_name("condition"), node.child_by_field_name("update")
        self._run_loop(
            lambda: self._evaluate_truth(condition, inner) if condition is not None else True,
            lambda: self._run_loop_body(node, inner),
            lambda: self._evaluate(update, inner) if update is not None else None,
        )

    def _run_while(self, node: Node, names: Names) -> None:
        inner = names.inner()
        condition = node.child_by_field_name("condition")
        self._run_loop(
            lambda: self._evaluate_condition(condition, inner), lambda: self._run_loop_body(node, inner), lambda: None
        )

    def _run_do_while(self, node: Node, names: Names) -> None:
        condition, first = node.child_by_field_name("condition"), [True]

        def enters_next_round() -> bool | None:
            return True if first and first.pop() else self._evaluate_condition(condition, names)

        self._run_loop(enters_next_round, lambda: self._run_loop_body(node, names), lambda: None)

    def _run_loop_body(self, node: Node, names: Names) -> None:
        body = node.child_by_field_name("body")
        if body is not None:
            self._run_statement(body, names)

    def _run_range_for(self, node: Node, names: Names) -> None:
        inner, said = names.inner(), node.child_by_field_name("right")
        declarator = node.child_by_field_name("declarator")
        if said is None or declarator is None or self._state is None:
            raise Unfollowed
        over: Value = (
            self._construct_container(said, inner) if said.type == "initializer_list" else self._evaluate(said, inner)
        )
        name, kind = declared_name(declarator), self._declared_type(node)
        place = self._evaluate_place(said, inner)
        items = over.items if isinstance(over, values.Elements) else None
        at = [0]

        def bind_next_element() -> bool | None:
            if items is None or at[0] > len(items):
                if place is not None and "&" in text(declarator):
                    self._forget_place(place)
                inner.own[name] = self._allocate_cell(None)
                return None
            if at[0] == len(items):
                return False
            refers = place is not None and "&" in text(declarator)
            inner.own[name] = (
                (place[0], (*place[1], at[0]))
                if refers and place
                else self._allocate_cell(convert_to_type(kind, items[at[0]]))
            )
            at[0] += 1
            return True

        self._run_loop(bind_next_element, lambda: self._run_loop_body(node, inner), lambda: None)

    def _run_loop(
        self, holds: Callable[[], bool | None], body: Callable[[], None], update: Callable[[], object]
    ) -> None:
        """A loop: round for round while its condition is known, then until no round changes what is known."""
        outer, self._jumps.breaks, self._jumps.continues = (self._jumps.breaks, self._jumps.continues), [], []
        left: State | None = None
        head: State | None = None
        rounds, any_number, made = 0, False, self._cells
        while self._state is not None:
            rounds += 1
            self._steps.take()
            self._discard_cells(made)
            if any_number or rounds > _MOST_ROUNDS:
                joined = join_states(head, self._state)
                if any_number and joined == head:
                    break
                head, any_number = joined, True
                self._state = dict(joined or {})
            goes_on: bool | None = False
            with self._catch_end_of_path():
                goes_on = holds()
            if self._state is None:
                break
            if goes_on is None and not any_number:
                any_number, head = True, dict(self._state)
            if goes_on is not True:
                left = join_states(left, dict(self._state))
            if goes_on is False:
                break
            with self._catch_end_of_path():
                body()
            for it in self._jumps.continues:
                self._state = join_states(self._state, it)
            self._jumps.continues = []
            with self._catch_end_of_path():
                if self._state is not None:
                    update()
        for it in self._jumps.breaks:
            left = join_states(left, it)
        self._jumps.breaks, self._jumps.continues = outer
        self._state = left

    def _run_switch(self, node: Node, names: Names) -> None:
        inner, body = names.inner(), node.child_by_field_name("body")
        condition = node.child_by_field_name("condition")
        if body is None or condition is None or self._state is None or _has_inner_case(body):
            raise Unfollowed
        start = condition.child_by_field_name("initializer")
        if start is not None:
            self._run_statement(start, inner)
        chosen = self._evaluate(condition.child_by_field_name("value") or condition, inner)
        before = dict(self._require_state())
        cases = [it for it in body.named_children if it.type == "case_statement"]
        labels = [(it, it.child_by_field_name("value")) for it in cases]
        same = {it.start_byte: self._matches_case(chosen, label, inner) for it, label in labels if label is not None}
        taken = any(it is True for it in same.values())
        outer, self._jumps.breaks = self._jumps.breaks, []
        self._state, missed, block = None, not taken, inner.inner()
        for it, label in labels:
            enters = same[it.start_byte] if label is not None else (False if taken else None)
            if label is None and not taken:
                missed, enters = False, True if all(each is False for each in same.values()) else None
            if enters is not False:
                self._state = join_states(self._state, dict(before))
            for each in it.named_children:
                if each != label:
                    self._run_statement(each, block)
        left = join_states(self._state, before if missed else None)
        for state in self._jumps.breaks:
            left = join_states(left, state)
        self._jumps.breaks, self._state = outer, left

    def _matches_case(self, chosen: Value, label: Node, names: Names) -> bool | None:
        return truth(apply_binary_operator("==", chosen, self._evaluate(label, names)))

    def _run_break(self, node: Node, names: Names) -> None:
        self._jumps.breaks.append(self._require_state())
        self._state = None

    def _run_continue(self, node: Node, names: Names) -> None:
        self._jumps.continues.append(self._require_state())
        self._state = None

    def _run_return(self, node: Node, names: Names) -> None:
        said = next(iter(node.named_children), None)
        result = self._evaluate(said, names) if said is not None else None
        self._jumps.returned.append(self._require_state())
        self._jumps.results.append(result)
        self._state = None

    def _run_goto(self, node: Node, names: Names) -> None:
        label = text(node.child_by_field_name("label") or node)
        if label not in self._labels_ahead(node):
            raise Unfollowed
        joined = join_states(self._jumps.gotos.get(label), self._require_state())
        if joined is not None:
            self._jumps.gotos[label] = joined
        self._state = None

    def _labels_ahead(self, node: Node) -> set[str]:
        """The labels of its function that stand behind it."""
        said = self._code[node.end_byte : self._jumps.end]
        return {it[1].decode() for it in _LABEL.finditer(said)}

    def _run_labelled_statement(self, node: Node, names: Names) -> None:
        came = self._jumps.gotos.pop(text(node.child_by_field_name("label") or node), None)
        self._state = join_states(self._state, came)
        for it in node.named_children[1:]:
            self._run_statement(it, names)

    def _run_throw(self, node: Node, names: Names) -> None:
        said = next(iter(node.named_children), None)
        kind = self._caught[-1] if said is None and self._caught else None
        if said is not None:
            self._evaluate(said, names)
            kind = _type_of_thrown(said)
        self._record_throw(kind)
        self._require_state()
        self._state = None

    def _run_try(self, node: Node, names: Names) -> None:
        body = node.child_by_field_name("body")
        if body is None or self._state is None:
            raise Unfollowed
        self._handlers.append([])
        self._run_statement(body, names)
        thrown = self._handlers.pop()
        left: State | None = self._state
        for clause in (it for it in node.named_children if it.type == "catch_clause"):
            parameters = clause.child_by_field_name("parameters")
            kind, name = _caught_type_and_name(parameters)
            taken = [(state, it, self._catches(kind, it)) for state, it in thrown]
            thrown = [(state, it) for state, it, caught in taken if caught is not True]
            entered = [(state, it) for state, it, caught in taken if caught is not False]
            if not entered:
                continue
            self._state = None
            for state, _ in entered:
                self._state = join_states(self._state, dict(state))
            inner = names.inner()
            inner.own[name] = self._allocate_cell(None)
            types = {it for _, it in entered}
            self._caught.append(types.pop() if len(types) == 1 else None)
            body = clause.child_by_field_name("body")
            if body is not None:
                self._run_statement(body, inner)
            self._caught.pop()
            left = join_states(left, self._state)
        if self._handlers:
            self._handlers[-1] += thrown
        self._state = left

    def _catches(self, caught: str, thrown: str | None) -> bool | None:
        """Whether a clause catches what is thrown. `caught`: "": whatever it is."""
        if not caught:
            return True
        if thrown is None:
            return None
        if caught.rpartition("::")[2] == thrown.rpartition("::")[2]:
            return True
        label = thrown.rpartition("::")[2]
        while label in _EXCEPTIONS:
            if label == caught.rpartition("::")[2]:
                return True
            label = _EXCEPTIONS[label]
        own = self._outline.classes
        if thrown in own and caught in own:
            return caught in {it.name for it in self._outline.bases_of(thrown)}
        known = thrown.rpartition("::")[2] in _EXCEPTIONS or thrown in ("int", "const char*", "double")
        plain = caught.rpartition("::")[2] in _EXCEPTIONS or caught in ("int", "char*", "double", "float", "long")
        if caught == "char*" and thrown == "const char*":
            return True
        return False if known and plain else None


def _has_inner_case(body: Node) -> bool:
    """Whether a `case` of a `switch` stands inside another of its statements."""
    todo = [
        it for case in body.named_children for it in (case.named_children if case.type == "case_statement" else [case])
    ]
    while todo:
        node = todo.pop()
        if node.type == "case_statement":
            return True
        todo += node.named_children if node.type not in ("switch_statement", "lambda_expression") else []
    return False


def _type_of_thrown(node: Node) -> str | None:
    said = text(node)
    if node.type == "call_expression":
        called = node.child_by_field_name("function")
        return "".join(text(called).split()) if called is not None else None
    if node.type == "compound_literal_expression":
        kind = node.child_by_field_name("type")
        return text(kind) if kind is not None else None
    if node.type == "number_literal":
        return "int" if said.isdigit() else "double" if said.replace(".", "").isdigit() else None
    return "const char*" if node.type == "string_literal" else None


def _caught_type_and_name(parameters: Node | None) -> tuple[str, str]:
    """The type of a clause's parameter, "" where it catches all, and its name."""
    for it in parameters.named_children if parameters is not None else ():
        if it.type == "parameter_declaration":
            kind, said = it.child_by_field_name("type"), it.child_by_field_name("declarator")
            stars = "*" if said is not None and "*" in text(said) else ""
            label = declared_name(said) if said is not None and "abstract" not in said.type else ""
            return (unqualified_type(text(kind)) if kind is not None else "") + stars, label
    return "", ""


_Statement = Callable[[Interpreter, Node, Names], None]
_Expression = Callable[[Interpreter, Node, Names], Value]
_SILENT = frozenset((
    "comment", "alias_declaration", "type_definition", "using_declaration", "static_assert_declaration",
    "struct_specifier", "class_specifier", "enum_specifier", "union_specifier", "template_declaration",
    "namespace_alias_definition", "statement_identifier", "attributed_statement", "type_descriptor",
    "template_argument_list", "field_identifier", "primitive_type", "type_identifier", "access_specifier", ";",
))  # fmt: skip
_STATEMENTS: Mapping[str, _Statement] = {
    "compound_statement": Interpreter._run_block,
    "expression_statement": Interpreter._run_children,
    "attributed_statement": Interpreter._run_children,
    "init_statement": Interpreter._run_children,
    "declaration": Interpreter._run_declaration,
    "if_statement": Interpreter._run_if,
    "else_clause": Interpreter._run_else,
    "for_statement": Interpreter._run_for,
    "for_range_loop": Interpreter._run_range_for,
    "while_statement": Interpreter._run_while,
    "do_statement": Interpreter._run_do_while,
    "switch_statement": Interpreter._run_switch,
    "break_statement": Interpreter._run_break,
    "continue_statement": Interpreter._run_continue,
    "return_statement": Interpreter._run_return,
    "goto_statement": Interpreter._run_goto,
    "labeled_statement": Interpreter._run_labelled_statement,
    "throw_statement": Interpreter._run_throw,
    "try_statement": Interpreter._run_try,
}
_EXPRESSIONS: Mapping[str, _Expression] = {
    "number_literal": Interpreter._evaluate_number,
    "char_literal": Interpreter._evaluate_character,
    "string_literal": Interpreter._evaluate_string,
    "concatenated_string": Interpreter._evaluate_string,
    "true": lambda *_: 1,
    "false": lambda *_: 0,
    "null": lambda *_: 0,
    "identifier": Interpreter._evaluate_name,
    "qualified_identifier": Interpreter._evaluate_name,
    "template_function": Interpreter._evaluate_name,
    "this": Interpreter._evaluate_this,
    "parenthesized_expression": Interpreter._evaluate_inner,
    "condition_clause": Interpreter._evaluate_inner,
    "comma_expression": Interpreter._evaluate_comma,
    "binary_expression": Interpreter._evaluate_binary,
    "unary_expression": Interpreter._evaluate_unary,
    "pointer_expression": Interpreter._evaluate_pointer_expression,
    "field_expression": Interpreter._evaluate_member_or_element,
    "subscript_expression": Interpreter._evaluate_member_or_element,
    "conditional_expression": Interpreter._evaluate_conditional,
    "assignment_expression": Interpreter._evaluate_assignment,
    "update_expression": Interpreter._evaluate_increment,
    "cast_expression": Interpreter._evaluate_cast,
    "compound_literal_expression": Interpreter._evaluate_braced,
    "sizeof_expression": Interpreter._evaluate_sizeof,
    "new_expression": Interpreter._evaluate_new,
    "delete_expression": Interpreter._evaluate_delete,
    "lambda_expression": Interpreter._evaluate_lambda,
    "call_expression": Interpreter._evaluate_call,
    "throw_statement": lambda self, node, names: Interpreter._run_throw(self, node, names),
}
