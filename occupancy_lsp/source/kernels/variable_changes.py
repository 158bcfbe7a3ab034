"""What changes the variables of a function, by its text alone, and the loops that may do so again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.lower.possibly_unreachable_regions import assigned_names

_OPERATOR = regex(rb"(<<|>>|[-+*/%&|^])=\s*\Z")
_STEPPED = regex(rb"(\+\+|--)\s*([A-Za-z_]\w*)|(?<![\w.])([A-Za-z_]\w*)\s*(\+\+|--)(?!\s*[\w(])")
_GIVEN_AWAY = regex(rb"&\s*([A-Za-z_]\w*)(?:\s*[={]\s*([A-Za-z_]\w*))?")
_BEFORE_ADDRESS = regex(rb"(?:[(,=?:]|\breturn)\s*\Z")
_BEFORE_REFERENCE = regex(rb"(?<![\w.])(?!const\b)\w+\s*\Z")
_FURTHEST_BEFORE = 32
_HEAD = regex(rb"\b(for|while)\s*\(")
_DO_OR_LAMBDA = regex(
    rb"\bdo\b|(?:[(,=:;{]|\breturn)\s*\[[^][]*\]\s*(?:\([^(){};]*\)\s*)?(?:mutable\b\s*)?(?:->[^{};]*)?(?=\{)"
)
_BEFORE_BRACES = regex(rb"\s*(?:[A-Za-z_][\w:]*(?:<[^{};]*>)?|\([\w\s]*\))?\s*")
_BRACE = regex(rb"[{}]")
_OBJECT = regex(rb"(?<![\w.>\])])([A-Za-z_]\w*)\s*\.\Z")
_SPACE = regex(rb"\s*")
_LAMBDA = regex(rb"\b([A-Za-z_]\w*)\s*=\s*\[[^][]*\]\s*\(([^()]*)\)\s*(?:->\s*\w+\s*)?\{\s*return\b([^;{}]*);\s*\}")
_PARAMETER = regex(r"(.*[\s&*])([A-Za-z_]\w*)\s*")
_BRACKET_OR_COMMA, _BRACKET_OR_SEMICOLON = regex(rb"[][(){},]"), regex(rb"[][(){};]")
_NESTING = {b"(": 1, b"[": 1, b"{": 1, b")": -1, b"]": -1, b"}": -1}
_LONGEST_NAME = 64
_LONGEST_OPERATOR = 8  # with spaces behind it
_START = attrgetter("start")


@dataclass(frozen=True, slots=True)
class VariableChange:
    """`name operator= text`, with "" as the operator of a plain assignment. `start`: of the text."""

    start: int
    operator: str
    text: bytes


@dataclass(frozen=True, slots=True)
class Loop:
    """The parts of the head of a `for` or `while`, and where its body begins. `condition`: as written."""

    step: Span
    condition: bytes
    tested: int
    body: int


@dataclass(frozen=True, slots=True)
class LocalLambda:
    """A lambda that only returns `value`. `parameters`: the type and name of each."""

    parameters: Sequence[tuple[str, str]]
    value: str


@dataclass(frozen=True, slots=True)
class VariableChanges:
    """`of`: by names; `v.x` of a member. `shared`: how often the address of a variable is taken, or another name given
    to it. `others`: text that may run several times, or later, and is in none of the loops."""

    of: Mapping[str, Sequence[VariableChange]]
    shared: Mapping[str, int]
    loops: Sequence[Loop]
    others: Sequence[Span]
    lambdas: Mapping[str, LocalLambda]


def variable_changes(function: Function) -> VariableChanges:
    return function.remembered_answers.ask("changes of variables", lambda: _changes_in(function))


def _changes_in(function: Function) -> VariableChanges:
    code, base = function.texts.device_code, function.head.start
    of: dict[str, list[VariableChange]] = {}
    for name, start, end in assigned_names(code):
        operator = _OPERATOR.search(code, max(start - _LONGEST_OPERATOR, 0), start)
        said = code[start : _end_of_value(code, start, _end_with_braces(code, start, end))]
        change = VariableChange(base + start, operator[1].decode() if operator is not None else "", said)
        if (whole := _with_object(code, name, start)) is not None:
            of.setdefault(whole.decode(), []).append(change)
    for it in _STEPPED.finditer(code):
        name, sign = (it[2], it[1]) if it[2] else (it[3], it[4])
        of.setdefault(name.decode(), []).append(VariableChange(base + it.start(), sign[:1].decode(), b"1"))
    repeated = [*_repeated_text(code, base)]
    return VariableChanges(
        {name: sorted(each, key=_START) for name, each in of.items()},
        Counter(it.decode() for it in _given_away(code)),
        [it for it in repeated if isinstance(it, Loop)],
        [it for it in repeated if isinstance(it, Span)],
        {it[1].decode(): _local_lambda(it[2].decode(), it[3].decode()) for it in _LAMBDA.finditer(code)},
    )


def _given_away(code: bytes) -> Iterator[bytes]:
    """Yield variables whose address is taken, and those that get another name."""
    for it in _GIVEN_AWAY.finditer(code):
        before = max(it.start() - _FURTHEST_BEFORE, 0)
        if _BEFORE_ADDRESS.search(code, before, it.start()):
            yield it[1]
        elif it[2] and _BEFORE_REFERENCE.search(code, before, it.start()):
            yield it[2]


def _with_object(code: bytes, name: bytes, start: int) -> bytes | None:
    """Return `object.name` of a member that is given what stands at `start`; None: of no plain object."""
    at = code.rfind(name, 0, start)
    if code[at - 1 : at] == b".":
        found = _OBJECT.search(code, max(at - _LONGEST_NAME, 0), at)
        return b"%b.%b" % (found[1], name) if found is not None else None
    return None if code[at - 2 : at] == b"->" else name


def _local_lambda(parameters: str, value: str) -> LocalLambda:
    each = (_PARAMETER.fullmatch(it) for it in parameters.split(","))
    return LocalLambda([(it[1].strip(), it[2]) for it in each if it is not None], value)


def _end_with_braces(code: bytes, start: int, end: int) -> int:
    """Return where a value ends that is written in braces, or with braces behind a type."""
    if code[end : end + 1] != b"{" or not _BEFORE_BRACES.fullmatch(code, start, end):
        return end
    return _end_of_block(code, end)


def initial_in_brackets(function: Function, declared: int, name: str) -> VariableChange | None:
    """Return what a variable is given where it is declared without a `=`: `k(3)`, `k{3}`."""
    code, base = function.texts.device_code, function.head.start
    start = _end_of_space(code, declared - base + len(name))
    if declared < base or code[start : start + 1] not in (b"(", b"{"):
        return None
    return VariableChange(base + start, "", code[start : _parts_of_head(code, start + 1)[1]])


def looks_declared_with_value(function: Function, name: str) -> bool:
    """Return whether what the grammar takes for the declaration of a function may be one of a variable: `S s(n);`."""
    said = re.search(rb"[\w>]\s+%b\s*\(" % re.escape(name.encode()), function.texts.device_code)
    return said is not None


def _end_of_value(code: bytes, start: int, end: int) -> int:
    """Return where an expression ends: before a comma or bracket that is in none of its own."""
    depth = 0
    for it in _BRACKET_OR_COMMA.finditer(code, start, end):
        depth += _NESTING.get(it[0], 0)
        if depth < 0 or (not depth and it[0] == b","):
            return it.start()
    return end


def _repeated_text(code: bytes, base: int) -> Iterator[Loop | Span]:
    """Yield loops, and the bodies of `do`, of `for` with a range, and of lambdas."""
    for it in _HEAD.finditer(code):
        cuts, end = _parts_of_head(code, it.end())
        body = _end_of_space(code, end)
        if it[1] == b"while":
            if code[body : body + 1] != b";":
                yield Loop(Span(base + body, base + body), code[it.end() : end - 1], base + it.end(), base + body)
        elif len(cuts) == 2:
            tested, step = (cut + 1 for cut in cuts)
            yield Loop(Span(base + step, base + end - 1), code[tested : cuts[1]], base + tested, base + body)
        else:
            yield _statement(code, end, base)
    for it in _DO_OR_LAMBDA.finditer(code):
        yield _statement(code, it.end(), base)


def _statement(code: bytes, at: int, base: int) -> Span:
    """Return where a statement stands: up to the brace that closes it, or the next semicolon."""
    start = _end_of_space(code, at)
    if code[start : start + 1] == b"{":
        return Span(base + start, base + _end_of_block(code, start))
    end = code.find(b";", start)
    return Span(base + start, base + (end if end >= 0 else len(code)))


def _end_of_block(code: bytes, start: int) -> int:
    depth = 0
    for it in _BRACE.finditer(code, start):
        depth += _NESTING[it[0]]
        if not depth:
            return it.end()
    return len(code)


def _end_of_space(code: bytes, at: int) -> int:
    found = _SPACE.match(code, at)
    return found.end() if found is not None else at


def _parts_of_head(code: bytes, start: int) -> tuple[Sequence[int], int]:
    """Return where semicolons divide it, and where it ends."""
    depth, cuts = 1, list[int]()
    for it in _BRACKET_OR_SEMICOLON.finditer(code, start):
        depth += _NESTING.get(it[0], 0)
        if not depth:
            return cuts, it.end()
        if depth == 1 and it[0] == b";":
            cuts.append(it.start())
    return (), len(code)


@dataclass(frozen=True, slots=True)
class ArgumentAlone:
    """A variable, or with `address` its address, as the argument `index` of a call."""

    callee: str
    index: int
    address: bool


def arguments_alone(function: Function) -> Mapping[str, Sequence[ArgumentAlone]]:
    """Return by variables the calls that are given them or their addresses alone."""

    def collect() -> Mapping[str, Sequence[ArgumentAlone]]:
        found: dict[str, list[ArgumentAlone]] = {}
        for site in function.mentions.calls:
            for index, text in enumerate(site.arguments or ()):
                name = text.strip().removeprefix("&").strip()
                if name.isidentifier():
                    it = ArgumentAlone(site.unqualified_name, index, text.lstrip().startswith("&"))
                    found.setdefault(name, []).append(it)
        return found

    return function.remembered_answers.ask("arguments alone", collect)
