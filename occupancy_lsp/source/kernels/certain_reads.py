"""Whether a kernel surely reads a local-memory variable, so that no compiler can drop it.

Reads a small, plain part of C++ and answers "no" to all else: a wrong "no" costs a message its weight, a wrong "yes"
would call code faulty that compiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.token_cursor import Tokens, UnfollowableCode, tokens_of

_MOST_BYTES, _MOST_NAMES = 20_000, 32
_BUILT_IN = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"}) | {
    f"canonical_warp_{it}"
    for it in ("idx", "idx_sync", "group_idx")  # CUTLASS's, of the thread
}
_PARTS = frozenset("xyz")
_INTEGERS = frozenset({"int", "unsigned"})  # a cast to one lets a thread's index vary
_TYPES = frozenset({"float", "double", "int", "unsigned", "long", "short", "char", "bool", "static_cast"})
# Statements whose course is not followed.
_UNCLEAR = frozenset({"goto", "switch", "do", "try", "asm", "__asm__", "constexpr", "case", "#", "[]", "?", "&&", "||"})
_LOCAL = frozenset({"__shared__", "__local", "local"})
_ASSIGNS = frozenset({"=", "+=", "-=", "*=", "/=", "|=", "^="})
_ZERO = regex(r"0*\.?0*[fFuUlL]*")


@dataclass(frozen=True, slots=True)
class _Statement:
    tokens: list[str]
    runs: bool  # in some launch, whatever the constants are


@dataclass(slots=True)
class _Body(Tokens):
    """The statements of a kernel in order. `varies`: names whose value only a launch decides."""

    varies: set[str] = field(default_factory=set)
    positive: set[str] = field(default_factory=set)  # constants that are more than 0
    ended: bool = False  # what follows may never run
    choices: int = 0  # conditions around this place that only a launch decides
    found: list[_Statement] = field(default_factory=list)

    def read_block(self, runs: bool) -> None:
        self.expect_token("{")
        while self.peek() != "}":
            self.read_statement(runs)
        self.at += 1

    def read_statement(self, runs: bool) -> None:
        word = self.peek()
        if word == "{":
            self.read_block(runs)
        elif word in ("if", "while", "for"):
            self._read_controlled(word, runs)
        elif word in _UNCLEAR:
            raise UnfollowableCode
        else:
            self._read_simple_statement(self.read_until_semicolon(), runs)

    def _read_controlled(self, word: str, runs: bool) -> None:
        self.at += 1
        header = self.read_parenthesised()
        parts = list(_split_tokens(header, ";"))
        if word == "for":
            self._record_varying_names(parts[0])
        varies = self._is_varying_comparison(parts[1] if len(parts) == 3 else header)
        runs = runs and (varies or (len(parts) == 3 and self._is_counting_loop(*parts[:2])))
        self.choices += varies
        self.read_statement(runs)
        if self.peek() == "else":
            self.at += 1
            self.read_statement(runs)
        self.choices -= varies

    def _read_simple_statement(self, tokens: list[str], runs: bool) -> None:
        if tokens and tokens[0] in ("return", "break", "continue"):
            self.ended = self.ended or not runs or not self.choices
            return
        if not _UNCLEAR.isdisjoint(tokens):
            runs = False
        if not _LOCAL.isdisjoint(tokens):
            self.positive |= set(tokens)
            if tokens[0] == "extern" and "[" in tokens:
                self.varies.add(tokens[tokens.index("[") - 1])  # its contents are what the launch makes them
        self._record_varying_names(tokens)
        self.found.append(_Statement(tokens, runs and not self.ended))

    def _record_varying_names(self, tokens: list[str]) -> None:
        for piece in _split_tokens(tokens, ","):
            if "=" in piece[1:]:
                sign = piece.index("=")
                if piece[sign - 1].isidentifier() and not self.varies.isdisjoint(piece[sign + 1 :]):
                    self.varies.add(piece[sign - 1])

    def _is_varying_comparison(self, condition: list[str]) -> bool:
        """One comparison of nothing but names that vary, constants above 0 and numbers."""
        names = {token for token in condition if token.isidentifier()} - _PARTS - _INTEGERS
        return (
            _UNCLEAR.isdisjoint(condition)
            and not names.isdisjoint(self.varies)
            and names <= self.varies | self.positive
        )

    def _is_counting_loop(self, start: list[str], condition: list[str]) -> bool:
        """`int i = 0; i < N`, with an N above 0."""
        if start[-2:] != ["=", "0"] or len(condition) != 3 or start[-3] != condition[0]:
            return False
        bound = condition[2]
        above = bound in self.positive | self.varies or (bound[0].isdigit() and not _ZERO.fullmatch(bound))
        return condition[1] in ("<", "!=") and above


def certainly_read_variables(head: bytes, body: bytes, names: set[str]) -> set[str]:
    """Those of `names` that the kernel fills with what it is given, and writes to its results after a barrier."""
    parameters = _is_writable_pointer_by_parameter(tokens_of(head))
    read = _read_body(parameters, body)
    if read is None or parameters is None or len(names) > _MOST_NAMES:
        return set()
    pointers = {name for name, pointer in parameters.items() if pointer}
    return {name for name in names if _reaches_result(read, name, pointers)}


def certainly_run_statements(head: bytes, body: bytes) -> list[list[str]]:
    """The tokens of each statement that runs in some launch, whatever the constants are."""
    read = _read_body(_is_writable_pointer_by_parameter(tokens_of(head)), body)
    return [it.tokens for it in read.found if it.runs] if read is not None else []


def _read_body(parameters: dict[str, bool] | None, body: bytes) -> _Body | None:
    if parameters is None or len(body) > _MOST_BYTES:
        return None
    read = _Body(tokens_of(body), varies=set(_BUILT_IN | parameters.keys()))
    try:
        read.read_block(True)
    except UnfollowableCode:
        return None
    return read


def _is_writable_pointer_by_parameter(head: list[str]) -> dict[str, bool] | None:
    """Each parameter's name, and whether it is a pointer that may be written through."""
    if not head or head[-1] != ")":
        return None
    depth, at = 1, len(head) - 1
    while depth and at:
        at -= 1
        depth += (head[at] == ")") - (head[at] == "(")
    pieces = list(_split_tokens(head[at + 1 : -1], ","))
    return {piece[-1]: "*" in piece and "const" not in piece for piece in pieces if piece and piece[-1].isidentifier()}


def _split_tokens(tokens: list[str], by: str) -> Iterator[list[str]]:
    depth, piece = 0, list[str]()
    for token in tokens:
        depth += (token in "([{") - (token in ")]}")
        if token == by and not depth:
            yield piece
            piece = []
        else:
            piece.append(token)
    yield piece


def _reaches_result(body: _Body, name: str, pointers: set[str]) -> bool:
    """Backwards from the results: what flows into them by assignments that run."""
    wanted: set[str] = set()
    plain = [_parse_assignment(it.tokens)[0] for it in body.found]
    for index in range(len(body.found) - 1, -1, -1):
        it = body.found[index]
        target, sign, value = _parse_assignment(it.tokens)
        if not it.runs or not target:
            continue
        result = target in pointers and ("[" in it.tokens[: it.tokens.index(sign)] or it.tokens[0] == "*")
        if result or (target in wanted and (sign != "=" or plain.count(target) == 1)):
            read = _names_value_depends_on(value)
            if name in read:
                return _is_filled_before_barrier(body, name, index)
            wanted |= read
    return False


def _is_filled_before_barrier(body: _Body, name: str, before: int) -> bool:
    """Whether what varies is written to the variable, and a barrier stands between that and the read."""
    seen = False
    for it in body.found[:before]:
        target, _, value = _parse_assignment(it.tokens)
        if target == name and it.runs and not body.varies.isdisjoint(value):
            seen = True
        elif seen and it.runs and _is_barrier(it.tokens):
            return True
    return False


def _is_barrier(tokens: list[str]) -> bool:
    opencl = tokens[:2] in (["barrier", "("], ["work_group_barrier", "("]) and tokens[2].startswith("CLK_")
    return opencl or tokens == ["__syncthreads", "(", ")"]


def _parse_assignment(tokens: list[str]) -> tuple[str, str, list[str]]:
    """What one statement assigns to, with which sign, and the value; "" where it assigns nothing."""
    sign = next((index for index, token in enumerate(tokens) if token in _ASSIGNS), None)
    if not sign or not _LOCAL.isdisjoint(tokens):
        return "", "", []
    left = tokens[:sign]
    bracket = left.index("[") if "[" in left else len(left)
    target = left[bracket - 1]
    return (target, tokens[sign], tokens[sign + 1 :]) if target.isidentifier() else ("", "", [])


def _names_value_depends_on(value: list[str]) -> set[str]:
    """The names that a value surely depends on: not what a call may ignore, nor a product with 0."""
    if any(_ZERO.fullmatch(token) and token[:1].isdigit() for token in value[:1]) and "*" in value:
        return set()
    found: set[str] = set()
    calls: list[bool] = []
    for index, token in enumerate(value):
        if token == "(":
            before = value[index - 1] if index else ""
            calls.append(before.isidentifier() and before not in _TYPES)
        elif token == ")" and calls:
            calls.pop()
        elif token.isidentifier() and not any(calls) and value[index - 1 : index] != ["sizeof"]:
            found.add(token)
        elif token == "*" and _ZERO.fullmatch("".join(value[index + 1 : index + 2]) or "1"):
            return set()
    return found
