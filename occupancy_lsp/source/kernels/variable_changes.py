"""What changes the variables of a function, by its text alone, and the heads of loops that count some of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.lower.possibly_unreachable_regions import assigned_names

_OPERATOR = regex(rb"(<<|>>|[-+*/%&|^])=\s*\Z")
_STEPPED = regex(rb"(\+\+|--)\s*([A-Za-z_]\w*)|(?<![\w.])([A-Za-z_]\w*)\s*(\+\+|--)(?!\s*[\w(])")
_GIVEN_AWAY = regex(rb"(?:[(,=?:]|\breturn)\s*&\s*([A-Za-z_]\w*)")
_FOR = regex(rb"\bfor\s*\(")
_DO = regex(rb"\bdo\b")
_OBJECT = regex(rb"(?<![\w.>\])])([A-Za-z_]\w*)\s*\.\Z")
_SPACE = regex(rb"\s*")
_LAMBDA = regex(rb"\b([A-Za-z_]\w*)\s*=\s*\[[^][]*\]\s*\(([^()]*)\)\s*(?:->\s*\w+\s*)?\{\s*return\b([^;{}]*);\s*\}")
_PARAMETER = regex(r"(.*[\s&*])([A-Za-z_]\w*)\s*")
_NESTING = {**dict.fromkeys(b"([{", 1), **dict.fromkeys(b")]}", -1)}
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
class CountingLoop:
    """The parts of the head of a `for`, and where its body begins. `condition`: as written."""

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
    """`of`: by names; `v.x` of a member. `untold`: variables that may change in ways that do not show, as where their
    address is taken."""

    of: Mapping[str, Sequence[VariableChange]]
    untold: frozenset[str]
    loops: Sequence[CountingLoop]
    lambdas: Mapping[str, LocalLambda]


def variable_changes(function: Function) -> VariableChanges:
    return function.remembered_answers.ask("changes of variables", lambda: _changes_in(function))


def _changes_in(function: Function) -> VariableChanges:
    code, base = function.texts.device_code, function.head.start
    of: dict[str, list[VariableChange]] = {}
    for name, start, end in assigned_names(code):
        operator = _OPERATOR.search(code, max(start - _LONGEST_OPERATOR, 0), start)
        said = code[start : _end_of_value(code, start, end)]
        change = VariableChange(base + start, operator[1].decode() if operator is not None else "", said)
        if (whole := _with_object(code, name, start)) is not None:
            of.setdefault(whole.decode(), []).append(change)
    for it in _STEPPED.finditer(code):
        name, sign = (it[2], it[1]) if it[2] else (it[3], it[4])
        of.setdefault(name.decode(), []).append(VariableChange(base + it.start(), sign[:1].decode(), b"1"))
    untold = {it.decode() for it in _GIVEN_AWAY.findall(code)}
    if _DO.search(code) is not None:  # its text has run once, and may run again
        untold |= {name for name, each in of.items() if len(each) > 1}
    return VariableChanges(
        {name: sorted(each, key=_START) for name, each in of.items()},
        frozenset(untold),
        [*_counting_loops(code, base)],
        {it[1].decode(): _local_lambda(it[2].decode(), it[3].decode()) for it in _LAMBDA.finditer(code)},
    )


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


def _end_of_value(code: bytes, start: int, end: int) -> int:
    """Return where an expression ends: before a comma or bracket that is in none of its own."""
    depth = 0
    for at in range(start, end):
        depth += _NESTING.get(code[at], 0)
        if depth < 0 or (not depth and code[at] == ord(",")):
            return at
    return end


def _counting_loops(code: bytes, base: int) -> Iterator[CountingLoop]:
    for it in _FOR.finditer(code):
        cuts, end = _parts_of_head(code, it.end())
        if len(cuts) == 2:
            tested, step = (cut + 1 for cut in cuts)
            body = _SPACE.match(code, end)
            start = base + (body.end() if body is not None else end)
            yield CountingLoop(Span(base + step, base + end - 1), code[tested : cuts[1]], base + tested, start)


def _parts_of_head(code: bytes, start: int) -> tuple[Sequence[int], int]:
    """Return where semicolons divide it, and where it ends."""
    depth, cuts = 1, list[int]()
    for at in range(start, len(code)):
        depth += _NESTING.get(code[at], 0)
        if not depth:
            return cuts, at + 1
        if depth == 1 and code[at] == ord(";"):
            cuts.append(at)
    return (), len(code)
