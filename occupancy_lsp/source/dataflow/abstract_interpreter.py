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
    bare_type,
    binary,
    join_states,
    to_type,
    truth,
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
    root, outline = _parsed(code)
    if root.has_error and any(it.type == "ERROR" or it.is_missing for it in root.named_children):
        return None
    each = [it for named in outline.functions.values() for it in named]
    around = [it for it in each if it.node.start_byte <= at < it.node.end_byte and not it.device]
    if not around:
        return None
    whole = any(it.path == "main" for it in outline.functions.get("main", ()))
    return _reached(code, asserts, None if whole else around[0].node.start_byte)


@remembered(8)
def _reached(code: bytes, asserts: bool, function: int | None) -> frozenset[int] | None:
    """`function`: where it starts that runs, whoever calls it; None: the program."""
    found = Interpreter(code, *_parsed(code), asserts)
    followed = found.run_program() if function is None else found.run_function(function)
    return frozenset(found.reached) if followed else None


@remembered(8)
def _parsed(code: bytes) -> tuple[Node, ProgramOutline]:
    root = parse(code)
    return root, outline_of(root)


class Interpreter(Calls):
    def run_program(self) -> bool:
        """Run `main`, and the functions that other files may call. False: it cannot be followed."""
        return self._follow(self._run_main)

    def run_function(self, start: int) -> bool:
        """Run the function that starts there, whoever calls it. False: it cannot be followed."""
        each = (it for named in self._outline.functions.values() for it in named if it.node.start_byte == start)
        return self._follow(lambda: self._run_unknown(next(each)))

    def _follow(self, run: Callable[[], None]) -> bool:
        try:
            run()
        except (Unfollowed, TooLarge, RecursionError):
            return False
        return True

    def _run_main(self) -> None:
        self._define_variables(True)
        start = dict(self._state or {})
        (main,) = self._outline.functions["main"][:1]
        with self._either():
            self._call(main, [(None, None)] * len(main.parameters), None, {})
        words = _WORD.findall(text(self._root))
        for named in [*self._outline.functions.values()]:
            for it in named:
                if it is not main and not (it.own or it.device or it.template) and words.count(it.name) == 1:
                    self._state = {cell: None if cell in self._shared else value for cell, value in start.items()}
                    self._run_unknown(it, defined=True)

    def _run_unknown(self, function: FunctionOutline, defined: bool = False) -> None:
        if not defined:
            self._define_variables(False)
        with self._either():
            self._call(function, [(None, None)] * len(function.parameters), None, {})

    def _define_variables(self, known: bool) -> None:
        """`known`: nothing has run before."""
        names = Names(None, None, "", {})
        for path, node in self._outline.enumerations:
            self._define_enumerators(path, node, names)
        for it in self._outline.variables:
            constant = "const" in text(it.declaration)[: it.declarator.start_byte - it.declaration.start_byte]
            place = self._new(None)
            label = it.path.rpartition("::")[2]
            self._globals.setdefault(label, []).append((it.path, place))
            kind = self._type_of(it.declaration)
            self._types[place[0]] = kind
            if known or constant:
                self._write(place, self._initial(kind, it.declarator, it.initial, names, zero=True))
            if not it.own:
                self._shared.add(place[0])

    def _define_enumerators(self, path: str, node: Node, names: Names) -> None:
        body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
        number: Value = -1
        for it in body.named_children if body is not None else ():
            if it.type != "enumerator":
                continue
            value = it.child_by_field_name("value")
            number = self._value(value, names) if value is not None else binary("+", number, 1)
            label = text(it.child_by_field_name("name") or it)
            for key in (label, f"{text(name)}::{label}" if name is not None else label):
                self._enumerators[key] = number if self._enumerators.get(key, number) == number else None

    def _value(self, node: Node | None, names: Names) -> Value:
        if node is None:
            return None
        self._steps.take()
        self._live()
        self.reached.add(node.start_byte)
        known = _EXPRESSIONS.get(node.type)
        if known is not None:
            return known(self, node, names)
        if node.type == "ERROR" or node.is_missing:
            raise Unfollowed
        for it in node.named_children:  # what it does besides
            if it.type not in _SILENT:
                self._value(it, names)
        return None

    def _run(self, node: Node, names: Names) -> None:
        if self._state is None and not self._jumps.gotos:
            return
        self._steps.take()
        step = _STATEMENTS.get(node.type)
        with self._either():
            if step is not None:
                step(self, node, names)
            elif node.type == "ERROR" or node.is_missing:
                raise Unfollowed
            elif self._state is not None and node.type not in _SILENT:
                self._value(node, names)

    def _block(self, node: Node, names: Names) -> None:
        inner, left = names.inner(), len(self._jumps.states())
        if self._state is None and b":" not in (node.text or b""):
            return
        for it in node.named_children:
            self._run(it, inner)
        self._destroy(inner, left)

    def _destroy(self, names: Names, left: int) -> None:
        """What a block's own variables do at its end, however it is left."""
        for name, place in reversed([*names.own.items()]):
            kind = bare_type(names.types.get(name, ""))
            if not place[1] and self._special(kind, f"~{kind}"):
                whole, normal = self._state, self._state is not None
                for it in self._jumps.states()[left:]:
                    self._state = join_states(self._state, dict(it))
                for each in self._handlers[-1:]:
                    for it, _ in each:
                        self._state = join_states(self._state, dict(it))
                if self._state is not None:
                    with self._either():
                        self._end_life(kind, place)
                self._state = self._state if normal else whole

    def _declaration(self, node: Node, names: Names) -> None:
        if self._state is None:
            return
        kind = self._type_of(node)
        words = [text(it) for it in node.named_children if it.type == "storage_class_specifier"]
        for it in node.children_by_field_name("declarator"):
            makes = bare_type(kind) in self._outline.classes or CONTAINER.fullmatch(bare_type(kind)) is not None
            if "extern" in words or (it.type == "function_declarator" and not makes):
                continue
            value = it.child_by_field_name("value") or node.child_by_field_name("value")
            inner = (it.child_by_field_name("declarator") or it) if it.type == "init_declarator" else it
            name = declared_name(inner)
            if inner.type == "structured_binding_declarator":
                self._bind_parts(inner, self._value(value, names), names)
                continue
            if inner.type == "reference_declarator":
                place = self._place(value, names) if value is not None else None
                names.own[name] = place or self._new(self._value(value, names))
                names.types[name] = ""
                continue
            if "static" in words:
                place = self._keep((self._statics.setdefault(it.start_byte, self._new(None)[0]), ()))
                if place[0] not in self._live() or it.start_byte not in self._begun():
                    self._live()[-it.start_byte - 1] = 1
                    self._write(place, self._initial(kind, inner, value, names, zero=True))
            else:
                place = self._new(None)
                self._write(place, self._initial(kind, inner, value, names, zero=False))
            self._types[place[0]] = kind if inner.type in ("identifier", "type_identifier") else ""
            whole = inner.type in ("identifier", "type_identifier") and "static" not in words
            names.own[name], names.types[name] = place, kind if whole else ""

    def _bind_parts(self, node: Node, whole: Value, names: Names) -> None:
        parts = list(whole.members.values()) if isinstance(whole, Record) else []
        for index, it in enumerate(node.named_children):
            names.own[text(it)] = self._new(parts[index] if index < len(parts) else None)

    def _begun(self) -> set[int]:
        return {-cell - 1 for cell in self._live() if cell < 0}

    def _if(self, node: Node, names: Names) -> None:
        inner = names.inner()
        first, second = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if self._state is None:  # a label within may be jumped to
            for it in (first, second):
                if it is not None:
                    self._run(it, inner)
            return
        holds = self._condition(node.child_by_field_name("condition"), inner)

        def run(it: Node | None) -> Value:
            if it is not None:
                self._run(it, inner)
            return None

        self._fork(holds, lambda: run(first), lambda: run(second))

    def _else(self, node: Node, names: Names) -> None:
        for it in node.named_children:
            self._run(it, names)

    def _condition(self, node: Node | None, names: Names) -> bool | None:
        if node is None:
            return True
        start = node.child_by_field_name("initializer")
        if start is not None:
            self._run(start, names)
            self._live()
        value = node.child_by_field_name("value")
        if value is None and node.type == "condition_clause":
            value = next(iter(node.named_children), None)
        return self._holds(value or node, names)

    def _holds(self, node: Node, names: Names) -> bool | None:
        if node.type == "declaration":
            self._declaration(node, names)
            name = next((declared_name(it) for it in node.children_by_field_name("declarator")), "")
            place = names.find(name)
            return self._truth(self._read(place)) if place is not None else None
        return self._truth(self._value(node, names))

    def _initialised(self, node: Node, names: Names) -> None:
        for it in node.named_children:
            self._run(it, names)

    def _for(self, node: Node, names: Names) -> None:
        inner, start = names.inner(), node.child_by_field_name("initializer")
        if start is not None and self._state is not None:
            self._run(start, inner)
        condition, update = node.child_by_field_name("condition"), node.child_by_field_name("update")
        self._loop(
            lambda: self._holds(condition, inner) if condition is not None else True,
            lambda: self._body(node, inner),
            lambda: self._value(update, inner) if update is not None else None,
        )

    def _while(self, node: Node, names: Names) -> None:
        inner = names.inner()
        condition = node.child_by_field_name("condition")
        self._loop(lambda: self._condition(condition, inner), lambda: self._body(node, inner), lambda: None)

    def _do(self, node: Node, names: Names) -> None:
        condition, first = node.child_by_field_name("condition"), [True]

        def holds() -> bool | None:
            return True if first and first.pop() else self._condition(condition, names)

        self._loop(holds, lambda: self._body(node, names), lambda: None)

    def _body(self, node: Node, names: Names) -> None:
        body = node.child_by_field_name("body")
        if body is not None:
            self._run(body, names)

    def _for_each(self, node: Node, names: Names) -> None:
        inner, said = names.inner(), node.child_by_field_name("right")
        declarator = node.child_by_field_name("declarator")
        if said is None or declarator is None or self._state is None:
            raise Unfollowed
        over: Value = self._container(said, inner) if said.type == "initializer_list" else self._value(said, inner)
        name, kind = declared_name(declarator), self._type_of(node)
        place = self._place(said, inner)
        items = over.items if isinstance(over, values.Elements) else None
        at = [0]

        def holds() -> bool | None:
            if items is None or at[0] > len(items):
                if place is not None and "&" in text(declarator):
                    self._lose(place)
                inner.own[name] = self._new(None)
                return None
            if at[0] == len(items):
                return False
            refers = place is not None and "&" in text(declarator)
            inner.own[name] = (
                (place[0], (*place[1], at[0])) if refers and place else self._new(to_type(kind, items[at[0]]))
            )
            at[0] += 1
            return True

        self._loop(holds, lambda: self._body(node, inner), lambda: None)

    def _loop(self, holds: Callable[[], bool | None], body: Callable[[], None], update: Callable[[], object]) -> None:
        """A loop: round for round while its condition is known, then until no round changes what is known."""
        outer, self._jumps.breaks, self._jumps.continues = (self._jumps.breaks, self._jumps.continues), [], []
        left: State | None = None
        head: State | None = None
        rounds, any_number, made = 0, False, self._cells
        while self._state is not None:
            rounds += 1
            self._steps.take()
            self._end_cells(made)
            if any_number or rounds > _MOST_ROUNDS:
                joined = join_states(head, self._state)
                if any_number and joined == head:
                    break
                head, any_number = joined, True
                self._state = dict(joined or {})
            goes_on: bool | None = False
            with self._either():
                goes_on = holds()
            if self._state is None:
                break
            if goes_on is None and not any_number:
                any_number, head = True, dict(self._state)
            if goes_on is not True:
                left = join_states(left, dict(self._state))
            if goes_on is False:
                break
            with self._either():
                body()
            for it in self._jumps.continues:
                self._state = join_states(self._state, it)
            self._jumps.continues = []
            with self._either():
                if self._state is not None:
                    update()
        for it in self._jumps.breaks:
            left = join_states(left, it)
        self._jumps.breaks, self._jumps.continues = outer
        self._state = left

    def _switch(self, node: Node, names: Names) -> None:
        inner, body = names.inner(), node.child_by_field_name("body")
        condition = node.child_by_field_name("condition")
        if body is None or condition is None or self._state is None or _has_inner_case(body):
            raise Unfollowed
        start = condition.child_by_field_name("initializer")
        if start is not None:
            self._run(start, inner)
        chosen = self._value(condition.child_by_field_name("value") or condition, inner)
        before = dict(self._live())
        cases = [it for it in body.named_children if it.type == "case_statement"]
        labels = [(it, it.child_by_field_name("value")) for it in cases]
        same = {it.start_byte: self._is_case(chosen, label, inner) for it, label in labels if label is not None}
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
                    self._run(each, block)
        left = join_states(self._state, before if missed else None)
        for state in self._jumps.breaks:
            left = join_states(left, state)
        self._jumps.breaks, self._state = outer, left

    def _is_case(self, chosen: Value, label: Node, names: Names) -> bool | None:
        return truth(binary("==", chosen, self._value(label, names)))

    def _break(self, node: Node, names: Names) -> None:
        self._jumps.breaks.append(self._live())
        self._state = None

    def _continue(self, node: Node, names: Names) -> None:
        self._jumps.continues.append(self._live())
        self._state = None

    def _return(self, node: Node, names: Names) -> None:
        said = next(iter(node.named_children), None)
        result = self._value(said, names) if said is not None else None
        self._jumps.returned.append(self._live())
        self._jumps.results.append(result)
        self._state = None

    def _goto(self, node: Node, names: Names) -> None:
        label = text(node.child_by_field_name("label") or node)
        if label not in self._ahead(node):
            raise Unfollowed
        joined = join_states(self._jumps.gotos.get(label), self._live())
        if joined is not None:
            self._jumps.gotos[label] = joined
        self._state = None

    def _ahead(self, node: Node) -> set[str]:
        """The labels of its function that stand behind it."""
        said = self._code[node.end_byte : self._jumps.end]
        return {it[1].decode() for it in _LABEL.finditer(said)}

    def _labelled(self, node: Node, names: Names) -> None:
        came = self._jumps.gotos.pop(text(node.child_by_field_name("label") or node), None)
        self._state = join_states(self._state, came)
        for it in node.named_children[1:]:
            self._run(it, names)

    def _throw(self, node: Node, names: Names) -> None:
        said = next(iter(node.named_children), None)
        kind = self._caught[-1] if said is None and self._caught else None
        if said is not None:
            self._value(said, names)
            kind = _type_of_thrown(said)
        self._raise(kind)
        self._live()
        self._state = None

    def _try(self, node: Node, names: Names) -> None:
        body = node.child_by_field_name("body")
        if body is None or self._state is None:
            raise Unfollowed
        self._handlers.append([])
        self._run(body, names)
        thrown = self._handlers.pop()
        left: State | None = self._state
        for clause in (it for it in node.named_children if it.type == "catch_clause"):
            parameters = clause.child_by_field_name("parameters")
            kind, name = _caught_type(parameters)
            taken = [(state, it, self._catches(kind, it)) for state, it in thrown]
            thrown = [(state, it) for state, it, caught in taken if caught is not True]
            entered = [(state, it) for state, it, caught in taken if caught is not False]
            if not entered:
                continue
            self._state = None
            for state, _ in entered:
                self._state = join_states(self._state, dict(state))
            inner = names.inner()
            inner.own[name] = self._new(None)
            types = {it for _, it in entered}
            self._caught.append(types.pop() if len(types) == 1 else None)
            body = clause.child_by_field_name("body")
            if body is not None:
                self._run(body, inner)
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


def _caught_type(parameters: Node | None) -> tuple[str, str]:
    """The type of a clause's parameter, "" where it catches all, and its name."""
    for it in parameters.named_children if parameters is not None else ():
        if it.type == "parameter_declaration":
            kind, said = it.child_by_field_name("type"), it.child_by_field_name("declarator")
            stars = "*" if said is not None and "*" in text(said) else ""
            label = declared_name(said) if said is not None and "abstract" not in said.type else ""
            return (bare_type(text(kind)) if kind is not None else "") + stars, label
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
    "compound_statement": Interpreter._block,
    "expression_statement": Interpreter._initialised,
    "attributed_statement": Interpreter._initialised,
    "init_statement": Interpreter._initialised,
    "declaration": Interpreter._declaration,
    "if_statement": Interpreter._if,
    "else_clause": Interpreter._else,
    "for_statement": Interpreter._for,
    "for_range_loop": Interpreter._for_each,
    "while_statement": Interpreter._while,
    "do_statement": Interpreter._do,
    "switch_statement": Interpreter._switch,
    "break_statement": Interpreter._break,
    "continue_statement": Interpreter._continue,
    "return_statement": Interpreter._return,
    "goto_statement": Interpreter._goto,
    "labeled_statement": Interpreter._labelled,
    "throw_statement": Interpreter._throw,
    "try_statement": Interpreter._try,
}
_EXPRESSIONS: Mapping[str, _Expression] = {
    "number_literal": Interpreter._number,
    "char_literal": Interpreter._character,
    "string_literal": Interpreter._string,
    "concatenated_string": Interpreter._string,
    "true": lambda *_: 1,
    "false": lambda *_: 0,
    "null": lambda *_: 0,
    "identifier": Interpreter._name,
    "qualified_identifier": Interpreter._name,
    "template_function": Interpreter._name,
    "this": Interpreter._this,
    "parenthesized_expression": Interpreter._inner,
    "condition_clause": Interpreter._inner,
    "comma_expression": Interpreter._comma,
    "binary_expression": Interpreter._binary,
    "unary_expression": Interpreter._unary,
    "pointer_expression": Interpreter._pointer,
    "field_expression": Interpreter._access,
    "subscript_expression": Interpreter._access,
    "conditional_expression": Interpreter._conditional,
    "assignment_expression": Interpreter._assignment,
    "update_expression": Interpreter._update,
    "cast_expression": Interpreter._cast,
    "compound_literal_expression": Interpreter._braced,
    "sizeof_expression": Interpreter._size,
    "new_expression": Interpreter._allocate,
    "delete_expression": Interpreter._delete,
    "lambda_expression": Interpreter._lambda,
    "call_expression": Interpreter._called,
    "throw_statement": lambda self, node, names: Interpreter._throw(self, node, names),
}
