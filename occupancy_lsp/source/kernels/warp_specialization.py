"""Which warpgroups of a block run a statement: those for whose threads the conditions around it hold.

Follows `if` and `else` alone; a statement under anything else, or under a condition that does not turn on the thread's
index in x alone, is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.kernels.token_cursor import Tokens, UnfollowableCode, tokens_of
from occupancy_lsp.source.syntax.expression_nodes import (
    Binary,
    Call,
    Conditional,
    Expression,
    Member,
    Name,
    Number,
    Unary,
)
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.integer_types import (
    BOOL,
    INT,
    UNARY,
    UNSIGNED,
    Integer,
    binary_result,
    literal_type,
    unary_result,
)

WARPGROUP, _WARP = 128, 32  # threads
_MOST_BYTES, _DEEPEST = 20_000, 16
_LOOPS = frozenset({"for", "while", "switch"})
_LOST = frozenset({"do", "goto", "try", "case", "default", "break", "continue", "#"})
_ASSIGNS = frozenset({"=", "+=", "-=", "*=", "/=", "|=", "^=", "&=", "%=", "++", "--"})

_Condition = tuple[str, bool]  # as written, and whether it must hold


@dataclass(slots=True)
class _Body(Tokens):
    path: list[_Condition | None] = field(default_factory=list)
    found: list[tuple[str, tuple[_Condition | None, ...]]] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    assigned: Counter[str] = field(default_factory=Counter)

    def read_statement(self) -> bool:
        """Whether it surely ends the thread."""
        word = self.peek()
        if word == "{":
            return self._read_block()
        if word == "if":
            return self._read_if()
        if word in _LOST:
            raise UnfollowableCode
        self.at += word in _LOOPS
        if word in _LOOPS:
            self.read_parenthesised()
            return self._read_under_condition(None)
        return self._read_simple_statement()

    def _read_block(self) -> bool:
        self.at += 1
        depth, ends = len(self.path), False
        while self.peek() != "}":
            ends = self.read_statement() or ends
        self.at += 1
        del self.path[depth:]
        return ends

    def _read_if(self) -> bool:
        self.at += 1
        constant = self.peek() == "constexpr"
        self.at += constant
        written = " ".join(self.read_parenthesised())
        first = self._read_under_condition(None if constant else (written, True))
        second = False
        if self.peek() == "else":
            self.at += 1
            second = self._read_under_condition(None if constant else (written, False))
        if first != second:
            self.path.append(None if constant else (written, second))
        return first and second

    def _read_under_condition(self, condition: _Condition | None) -> bool:
        depth = len(self.path)
        self.path.append(condition)
        ends = self.read_statement()
        del self.path[depth:]
        if ends and condition is None:
            raise UnfollowableCode
        return ends

    def _read_simple_statement(self) -> bool:
        said = self.read_until_semicolon()
        for index, token in enumerate(said):
            if token in _ASSIGNS:
                near = (
                    said[index - 1]
                    if index and said[index - 1].isidentifier()
                    else "".join(said[index + 1 : index + 2])
                )
                self.assigned[near] += 1
                if token == "=" and index:
                    self.values[near] = " ".join(said[index + 1 :])
        if len(said) == 3 and said[1:] == ["(", ")"]:
            self.found.append((said[0], tuple(self.path)))
        return said[:1] in (["return"], ["__trap"], ["exit"])


@remembered(64)  # asked for at each key
def warpgroups_by_call(body: bytes, marker: str, groups: int) -> tuple[tuple[str, frozenset[int]], ...] | None:
    """Each call whose name begins with the marker, and the warpgroups that run it; None: that is not known."""
    if len(body) > _MOST_BYTES or b"threadIdx.y" in body or b"threadIdx.z" in body:
        return None
    read = _Body(tokens_of(body))
    try:
        read.read_statement()
    except UnfollowableCode:
        return None
    values = {name: text for name, text in read.values.items() if read.assigned[name] == 1}
    found = []
    for name, path in read.found:
        if name.startswith(marker):
            held = [_path_holds(path, values, group) for group in range(groups)]
            if None in held:
                return None
            found.append((name, frozenset(group for group, holds in enumerate(held) if holds)))
    return tuple(found)


def _path_holds(path: tuple[_Condition | None, ...], values: Mapping[str, str], group: int) -> bool | None:
    """Whether all conditions hold for all threads of a warpgroup; None: not known, or for some of them."""
    for condition in path:
        if condition is None:
            return None
        text, wanted = condition
        threads = range(group * WARPGROUP, (group + 1) * WARPGROUP)
        told = [_evaluate_for_thread(parse(text.encode()), values, thread, 0) for thread in threads]
        truths = {bool(it.number) for it in told if it is not None}
        if None in told or len(truths) > 1:
            return None
        if truths != {wanted}:
            return False
    return True


def _evaluate_for_thread(expression: Expression, values: Mapping[str, str], thread: int, depth: int) -> Integer | None:
    if depth > _DEEPEST:
        return None

    def evaluate_part(part: Expression) -> Integer | None:
        return _evaluate_for_thread(part, values, thread, depth + 1)

    match expression:
        case Number(value, _, _, suffix, decimal):
            return Integer(value, literal_type(value, suffix, decimal))
        case Member(Name(("threadIdx",)), "x"):
            return Integer(thread, UNSIGNED)
        case Name((name,)) if name in values:
            return _untyped_value(evaluate_part(parse(values[name].encode())))
        case Unary("cast", operand):
            return _untyped_value(evaluate_part(operand))
        case Unary(operator, operand) if operator in UNARY and (it := evaluate_part(operand)) is not None:
            return unary_result(operator, it)
        case Binary(operator, left, right) if (a := evaluate_part(left)) is not None and (
            b := evaluate_part(right)
        ) is not None:
            return _evaluate_binary(operator, a, b)
        case Conditional(condition, then, otherwise) if (it := evaluate_part(condition)) is not None:
            return _untyped_value(evaluate_part(then if it.number else otherwise))
        case Call(Name(parts), arguments):
            return _evaluate_known_call(parts[-1], arguments, values, thread, depth)
    return None


def _untyped_value(value: Integer | None) -> Integer | None:
    """What a variable holds, whose type is not looked up."""
    return Integer(value.number, None) if value is not None and value.number >= 0 else None


def _evaluate_binary(operator: str, a: Integer, b: Integer) -> Integer | None:
    if operator in ("&&", "||"):
        holds = bool(a.number and b.number) if operator == "&&" else bool(a.number or b.number)
        return Integer(int(holds), BOOL)
    return binary_result(operator, a, b)


def _evaluate_known_call(
    name: str, arguments: tuple[Expression, ...], values: Mapping[str, str], thread: int, depth: int
) -> Integer | None:
    match name, arguments:
        case "canonical_warp_group_idx", ():
            return Integer(thread // WARPGROUP, INT)
        case (("canonical_warp_idx" | "canonical_warp_idx_sync"), ()):
            return Integer(thread // _WARP, INT)
        case "__shfl_sync", (_, value, Number(0)):
            return _evaluate_for_thread(value, values, thread // _WARP * _WARP, depth + 1)
    return None
