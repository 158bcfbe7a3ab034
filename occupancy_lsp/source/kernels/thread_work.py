"""The floating-point operations of each thread and the bytes of global memory that it moves, where the text shows them.

The kernel is followed statement by statement, loops of constant turns in every turn. An addition or multiplication is
one operation, a fused one two, as Nsight Compute counts them. The answer is given only if all of it is in sight, runs
under the same condition and is needed for what is stored, and if all threads together reach each element of an array
once and leave none out, so that no cache can make the traffic less. Else the answer is the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.polynomials import Polynomial
from occupancy_lsp.source.kernels.thread_expressions import Thread, constant_of, operands
from occupancy_lsp.source.kernels.thread_value_graph import Computed, Condition, Unfollowable
from occupancy_lsp.source.lower.declarations import declarator_name, declared_type
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.parser import parse, text


@dataclass(frozen=True, slots=True)
class ThreadWork:
    """`reason`: why the others are not known."""

    operations: int = 0
    moved: int = 0  # bytes
    precision: str = ""
    reason: str = ""


UNSEEN = ThreadWork(reason="its text is too long, or not plain")


def thread_work(env: Environment, body: FunctionInstance) -> ThreadWork:
    """Of a kernel in one instance. Remembered: of most that it looks up it only finds that it cannot be followed."""
    code = body.function.code
    if code is None:
        return UNSEEN
    return env.remember(("work", body.placed.item, body), lambda: _work(env, body, code), UNSEEN)


def _work(env: Environment, body: FunctionInstance, code: bytes) -> ThreadWork:
    try:
        return _Statements(Thread(env, body)).work(code)
    except Unfollowable as why:
        return ThreadWork(reason=str(why))


@dataclass(frozen=True, slots=True)
class _Statements:
    thread: Thread

    def work(self, code: bytes) -> ThreadWork:
        if self.thread.body.function.arrays:
            raise Unfollowable("it uses local memory")
        for it in self.thread.body.function.parameters:
            self.thread.declare(it.name, it.type, self.thread.given(it.name, it.type))
        root = parse(b"void f()" + code)
        body = root.named_children[0].child_by_field_name("body") if root.named_child_count == 1 else None
        if root.has_error or body is None:
            raise Unfollowable("its text could not be read")
        self._statements(body.named_children, outermost=True)
        moved = self.thread.graph.moved()
        if not moved or len(self.thread.graph.operations) != 1:
            several = "of several precisions" if self.thread.graph.operations else "not there"
            raise Unfollowable(f"its floating-point operations are {several}")
        ((precision, operations),) = self.thread.graph.operations.items()
        return ThreadWork(operations, moved, precision)

    def _statements(self, nodes: Sequence[Node], outermost: bool = False) -> None:
        for node in nodes:
            if outermost and node.type == "if_statement" and _only_leaves(node):
                self._decided(node)
                self.thread.graph.where = (*self.thread.graph.where, self._condition(node, False))
            elif outermost and node.type == "return_statement" and not node.named_children:
                break
            else:
                self._statement(node)

    def _statement(self, node: Node) -> None:
        self.thread.step()
        match node.type:
            case "declaration":
                self._declaration(node)
            case "expression_statement":
                for it in node.named_children:
                    self.thread.effect(it)
            case "compound_statement":
                self._scoped(lambda: self._statements(node.named_children))
            case "if_statement":
                self._if(node)
            case "for_statement":
                self._scoped(lambda: self._for(node))
            case _:
                raise Unfollowable(f"a {node.type.replace('_', ' ')} in it is not followed")

    def _scoped(self, follow: Callable[[], None]) -> None:
        """Names declared within end with it."""
        outer = set(self.thread.known)
        self.thread.deep += 1
        follow()
        self.thread.deep -= 1
        for name in set(self.thread.known) - outer:
            del self.thread.known[name]

    def _declaration(self, node: Node) -> None:
        kept = any(it.type == "storage_class_specifier" for it in node.children)
        for declarator in node.children_by_field_name("declarator"):
            name, value = declarator_name(declarator), declarator.child_by_field_name("value")
            kind = declared_type(text, node, declarator)
            if name is None or kept or kind.endswith(("*", "&")):
                raise Unfollowable(f"{text(name) if name is not None else 'a variable'} is not a number of its own")
            given = self.thread.value(value) if value is not None else Computed()
            deduced = kind == "auto" or value is None
            self.thread.declare(text(name), kind, given if deduced else self.thread.converted(given, kind))

    def _if(self, node: Node) -> None:
        then, otherwise = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        known = self._decided(node)
        if known is not None:
            self._branch(then if known else otherwise)
            return
        if otherwise is not None:
            raise Unfollowable("what it does depends on a condition")
        before, where = dict(self.thread.known), self.thread.graph.where
        self.thread.graph.where = (*where, self._condition(node, True))
        self._branch(then)
        self.thread.graph.where = where
        if self.thread.known != before:
            raise Unfollowable("the value of a variable depends on a condition")

    def _branch(self, node: Node | None) -> None:
        if node is not None:
            inner = node.named_children[-1] if node.type == "else_clause" else node
            self._scoped(lambda: self._statement(inner))

    def _decided(self, node: Node) -> int | None:
        """The constant that the condition is; None: the numbers of threads and the arguments decide."""
        events = self.thread.graph.events
        found = self.thread.value(_asked(node))
        if self.thread.graph.events > events or found.precision:
            raise Unfollowable("what it does depends on its data")
        return constant_of(found)

    def _condition(self, node: Node, wanted: bool) -> Condition:
        return Condition(self.thread.steps, tuple(self._below(_asked(node), wanted)))

    def _below(self, node: Node | None, wanted: bool) -> Iterator[tuple[Polynomial, Polynomial]]:
        """What is less than what if the condition comes out as wanted."""
        while node is not None and node.type == "parenthesized_expression":
            node = node.named_children[0]
        if node is None or node.type != "binary_expression":
            return
        left, right, operator = operands(node)
        if operator == ("&&" if wanted else "||"):
            yield from self._below(left, wanted)
            yield from self._below(right, wanted)
        low, high = (left, right) if operator in ("<", ">=") else (right, left)
        if operator in (("<", ">") if wanted else (">=", "<=")):
            sides = self.thread.value(low).whole, self.thread.value(high).whole
            if sides[0] is not None and sides[1] is not None:
                yield sides[0], sides[1]

    def _for(self, node: Node) -> None:
        start, ends, step = (node.child_by_field_name(it) for it in ("initializer", "condition", "update"))
        body = node.child_by_field_name("body")
        if start is not None:
            self._declaration(start) if start.type == "declaration" else self.thread.effect(start)
        while True:
            going = self.thread.value(ends)
            turns = constant_of(going)
            if turns is None:
                raise Unfollowable("how often its loop turns is not known")
            if not turns:
                return
            if body is not None:
                self._scoped(lambda: self._statement(body))
            if step is not None:
                self.thread.effect(step)


def _asked(node: Node) -> Node | None:
    """The expression that an `if` asks for."""
    clause = node.child_by_field_name("condition")
    return clause and (clause.child_by_field_name("value") or clause)


def _only_leaves(node: Node) -> bool:
    """Whether it is `if (…) return;`"""
    then = node.child_by_field_name("consequence")
    while then is not None and then.type == "compound_statement" and then.named_child_count == 1:
        then = then.named_children[0]
    leaves = then is not None and then.type == "return_statement" and not then.named_children
    return leaves and node.child_by_field_name("alternative") is None
