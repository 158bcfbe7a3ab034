"""Where the values go that a function computes: to memory and what else can be observed, to its caller, or nowhere.

Compilers leave out what goes nowhere, and the loads it is made of. Read off the statements' text; what cannot be
followed counts as going nowhere, since who asks wants to be sure.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from operator import attrgetter

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.brackets import closing_bracket
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.controlled_statements import (
    controlled_statements,
    does_more_than_assign,
    incremented_variables,
    repeated_spans,
)
from occupancy_lsp.source.lower.item_facts import (
    EFFECT,
    RESULT,
    Destinations,
    Parameter,
    ValueDestination,
    call_destination,
    pointee_destination,
)
from occupancy_lsp.source.lower.possibly_unreachable_regions import SAME_ANYHOW, is_tautology_or_contradiction

_TOKEN = regex(rb"[(){}\[\];]|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'")
_HEAD = regex(rb"\b(?:if(?:\s+constexpr)?|while|switch)\s*\Z")
_FOR = regex(rb"\bfor\s*\Z")
_LEFT_BY_BREAK = regex(rb"\b(?:switch|while)\s*\(\s*\Z")
_BREAK = regex(rb"\bbreak\b")
_BLOCK = regex(rb"(?:\A|[\])]|\b(?:else|do|try|mutable|noexcept|const))\s*\Z|\A\s*(?:struct|class|union|enum|extern)\b")
_DIRECTIVE = regex(rb"(?m)^[ \t]*#(?:[^\n\\]|\\.|\\\n)*")
_LABEL = regex(rb"\s*(?:(?:case\b[^:;{}]*|\w+)\s*:(?!:)\s*|(?:else|do)\b)")
_OPERATOR = regex(rb"[\[({]|[\])}]|,|(?:<<|>>|[-+*/%&|^])?=(?!=)(?<![=!<>]=)|<<=|>>=")
_NAME = regex(rb"([A-Za-z_]\w*)\s*\Z")
_POSTFIX = regex(rb"(?:\.|->)\s*\w+\s*\Z")
_PART = regex(rb"\s*(?:\[\s*\d+\s*\]|\.\s*[A-Za-z_]\w*(?!\w|\s*\())")
_LIST = regex(rb"\s*(?:(?:[A-Za-z_][\w:<>, ]*)?\{|(?:make_\w+\d|\(\s*\w+\d\s*\))\s*\()")
_NESTED = regex(rb"[][(){},]")
_VECTOR = "xyzw"
_RETURN = regex(rb"\b(?:co_)?return\b")
_VOID = regex(rb"\s*\(\s*void\s*\)")
_CALL = regex(rb"\s*(?:[A-Za-z_]\w*\s*(?:<[^;(){}]*>\s*)?(?:::|\.|->)\s*)*([A-Za-z_]\w*)\s*(?:<[^;{}]*>\s*)?\(")
_ASM = regex(rb"\s*(?:asm|__asm__|__asm)\b")
_MADE = regex(rb"\s*(?!return\b|new\b|delete\b|else\b)[A-Za-z_][\w:<>,\s*&]*[\s*&>]([A-Za-z_]\w*)\s*[({]")
_CHANGED = regex(rb"\A\s*(?:\+\+|--)|(?:\+\+|--)\s*\Z")
_POINTER = regex(rb"[*&]\s*(?:[A-Za-z_]\w*\s+)*\Z")
_DECLARED = regex(rb"(?:(?!(?:return|else|case|goto)\b)\b[A-Za-z_]\w*|>|,)\s*\Z")
_WORD = regex(rb"[A-Za-z_]\w*")
_ELSEWHERE = regex(rb"(?:\.|->|::|\bsizeof\s*\(?)\s*\Z")  # a member's name, or not evaluated
_IN_WORDS = string.ascii_letters.encode() + b"0123456789_"
_ADDRESS = regex(rb"\s*(?:\([^()]*\)\s*)?&?\s*([A-Za-z_]\w*)")
_TAKEN_WHOLE = regex(rb"(?:=|\breturn)\s*\Z")
_WHOLE_ENDS = regex(rb"\s*[;,]")
_RETURNS = regex(rb"\breturn\b\s*[^\s;]")
_CASTS = regex(rb"<[^<>;]*>|\(\s*[\w:\s]+[*&]+\s*\)|\b\w+_cast\b")
# The same of both choices, an operand that decides alone, a comma that drops what is before it.
_VANISHING = regex(
    rb"\?\s*([\w.]+)\s*:\s*\1(?![\w.\[(])|\|\s*(?:-\s*1|~\s*0)[uUlL]*\b|\bmin\s*\([^;]*,\s*0[uUlL]*\s*\)"
    rb"|\|\|\s*true\b|\btrue\s*\|\||&&\s*false\b|\bfalse\s*&&"
    rb"|(?:[=(,+\-*/%&|^<?:!]|(?<![\w:>])>|\breturn)\s*\([^(){};]*,[^(){};]*\)"
)
_SHIFTED_OUT = regex(rb"&\s*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\s*\)\s*>>\s*(\d+)")
_WITH_ZERO = regex(rb"(?:<|>=)\s*0[uUlL]*\b(?![.xX])")
UNSIGNED = regex(rb"\bunsigned\b|\bu(?:int|char|short|long)\w*|\bsize_t\b")
_START = attrgetter("start")
_NEAR = 64
_LONGEST = 256  # bytes of a statement that tell what it is
_MOST = 64  # places where a variable is named that are looked at
_MOST_FOLLOWED = 16  # variables that a value is followed through
_NOWHERE: frozenset[str] = frozenset()
_EFFECT, _RESULT = frozenset((EFFECT,)), frozenset((RESULT,))


@dataclass(slots=True)
class _Block:
    end: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A statement, or a part of a head. `condition`: it chooses what runs."""

    start: int
    end: int
    block: _Block
    condition: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """Of a statement, between commas. `operators`: those that assign."""

    begin: int
    end: int
    operators: Sequence[Span]


@dataclass(frozen=True, slots=True)
class _Target:
    """What is given a value: a variable, an element or member of it, or what a pointer points to. `declared`: there.
    `part`: as of `_Variable`."""

    name: str
    whole: bool
    declared: bool = False
    part: str = ""


@dataclass(frozen=True, slots=True)
class _Variable:
    """`where`: what may name it. `given`: the statement that gives it a value. `part`: the element or member that gets
    it, `[0]` or `.x`; `{2}`: the third of a list; "": all of it, or that cannot be told. `by`: the function whose call
    gives it that; what another call of it does with the variable is not told."""

    name: str
    where: Span
    given: Span
    part: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class _Step:
    """Where the value of a variable goes from one place. `sure`: it surely runs where the variable is given it."""

    at: int
    to: frozenset[str]
    variables: Sequence[_Variable]
    sure: bool


@dataclass(slots=True)
class _Open:
    """A bracket that is not closed yet. `start`: of the statement around it."""

    kind: str
    start: int
    parts: int = 0  # of a head that a `;` ends
    block: _Block | None = None  # around it
    inside: bool = False  # a block in the middle of a statement


class ValueFlow:
    """Of one function. `followed`: the shared arrays and pointers to them: what is stored there goes to that name.
    `unsure`: the text that a compiler may find never to run. `handing`: what it stores through a parameter goes to who
    calls it."""

    def __init__(
        self,
        text: bytes,
        body: Span,
        parameters: Sequence[Parameter],
        followed: Set[str],
        unsure: Sequence[Span],
        handing: bool = False,
    ) -> None:
        self._text = text
        self._body = body
        self._followed = followed
        self._unsure = unsure
        self._handing = handing
        self._pointing = {it.name for it in parameters if it.type[-1:] in ("*", "&", "]")}
        self._pointers = {it.name for it in parameters if it.type[-1:] in ("*", "]")}
        self._values = {it.name for it in parameters} - self._pointing
        self._unsigned = UNSIGNED.search(text) is not None
        self._every: list[_Piece] | None = None
        self._known: dict[_Variable, list[_Step]] = {}
        self._read: dict[int, list[_Part]] = {}  # by the start of the statement
        self._rounds: Sequence[Span] | None = None
        self._found: dict[int, Destinations] = {}

    def destinations_at(self, at: int) -> Destinations:
        """Return where the value of the expression around a place goes: `EFFECT`, `RESULT` with the part of it, the
        call that is the statement, `through` a parameter, and followed names that it is stored to; and where it goes if
        more text is compiled."""
        if at not in self._found:
            self._found[at] = self._final_destinations(*self._direct_destinations(at))
        return self._found[at]

    @property
    def asked(self) -> Set[int]:
        """The places that `of` was asked about."""
        return self._found.keys()

    def destinations_of_call(self, at: int, part: str) -> Destinations:
        """Return the same of what a call returns that starts there, or of a part of that."""
        opening = self._text.find(b"(", at) if part else -1
        end = closing_bracket(self._text, opening, self._body.end) + 1 if part else at
        if _is_other_member_or_element(part, self._text, end):
            return _NOWHERE, ()
        return self._final_destinations(
            *self._narrow_destinations_to_member(part, at, end, *self._direct_destinations(at))
        )

    def destinations_of_output_argument(self, at: int, callee: str, said: bytes) -> Destinations:
        """Return the same of what a call that starts there stores through one of its arguments."""
        named = _ADDRESS.match(said)
        if named is None:
            return _EFFECT, ()
        name = named[1].decode()
        if name in self._followed:
            return frozenset((name,)), ()
        if name in self._pointing:
            return self._destination_through_own_parameter(name), ()
        known = name in self._values or self._declared_kind(name) == "variable"
        piece = self._statement_at(at) if known else None
        if piece is None:
            return _EFFECT, ()
        part = _PART.match(said, named.end())
        given = Span(piece.start, piece.end)
        return self._final_destinations(
            _NOWHERE,
            [_Variable(name, self._body, given, _without_whitespace(part[0]) if part is not None else "", callee)],
        )

    def _destination_through_own_parameter(self, parameter: str) -> frozenset[str]:
        return frozenset((pointee_destination(parameter),)) if self._handing else _EFFECT

    def _final_destinations(self, found: frozenset[str], variables: Iterable[_Variable]) -> Destinations:
        """Return where a value goes in the end that goes there and to these variables."""
        perhaps: list[ValueDestination] = []
        todo = deque((it, tuple[int, ...]()) for it in variables)
        seen = set(variables)
        while todo and EFFECT not in found and len(seen) < _MOST_FOLLOWED:
            variable, before = todo.popleft()
            for step in self._steps_of_variable(variable):
                under = before if step.sure else (*before, step.at)
                if under:
                    perhaps += [ValueDestination(it, under) for it in sorted(step.to)]
                else:
                    found |= step.to
                todo.extend((it, under) for it in step.variables if it not in seen)
                seen.update(step.variables)
        return found, () if EFFECT in found else tuple(perhaps)

    def _direct_destinations(self, at: int) -> tuple[frozenset[str], list[_Variable]]:
        """Return where the value goes at once, and the variables that it goes to."""
        piece = self._statement_at(at)
        if piece is None:
            return _NOWHERE, []
        return self._destinations_of_condition(piece) if piece.condition else self._destinations_in_statement(piece, at)

    def _destinations_of_condition(self, piece: _Piece) -> tuple[frozenset[str], list[_Variable]]:
        """Return the same of what chooses between statements: it goes where these store something."""
        condition = self._text[piece.start : piece.end]
        if self._may_vanish(condition):
            return _NOWHERE, []
        under = controlled_statements(self._text, piece.end, self._body.end)
        if under is None:
            return _EFFECT, []
        said = self._text[under.start : under.end]
        near = self._text[max(0, piece.start - _NEAR) : piece.start]
        # A `break` leaves nothing but the statement that this condition is of.
        if does_more_than_assign(_BREAK.sub(b"", said) if _LEFT_BY_BREAK.search(near) else said):
            return _EFFECT, []
        inner = [it for it in self._pieces if under.start <= it.start < under.end]
        each = [it for one in inner if not one.condition for it in self._targets_assigned_in(one)]
        each += [
            self._destination_of_target(_Target(it, True), piece, "") if it else _EFFECT
            for it in incremented_variables(said)
        ]
        found = _NOWHERE.union(*(it for it in each if not isinstance(it, _Variable)))
        if EFFECT in found or any(any(occurrences_of(condition, it.encode(), 0, len(condition))) for it in found):
            return _EFFECT, []
        return found, [it for it in each if isinstance(it, _Variable)]

    def _targets_assigned_in(self, piece: _Piece) -> Iterator[frozenset[str] | _Variable]:
        """Yield what a statement gives a value."""
        said = self._text[piece.start : piece.end]
        if _RETURN.search(said):
            yield _RESULT if _RETURNS.search(said) else _NOWHERE
        for part in self._parts_of_statement(piece):
            for since, until in _left_sides(part, part.end):
                target = _parse_target(self._text[since:until])
                if target is not None:
                    yield self._destination_of_target(target, piece, "")

    def _may_vanish(self, said: bytes) -> bool:
        """Return whether what is read may have no say in what an expression comes to."""
        return _value_may_vanish(said, self._unsigned)

    @property
    def _pieces(self) -> list[_Piece]:
        if self._every is None:
            self._every = sorted(_split_statements(self._text, self._body), key=_START)
        return self._every

    def _statement_at(self, at: int) -> _Piece | None:
        """Return the innermost that holds a place."""
        pieces = self._pieces
        for index in range(bisect_right(pieces, at, key=_START) - 1, -1, -1):
            if pieces[index].end > at:
                return pieces[index]
        return None

    def _destinations_in_statement(self, piece: _Piece, at: int) -> tuple[frozenset[str], list[_Variable]]:
        text, part = self._text, self._part(piece, at)
        sides = [*_left_sides(part, at)]
        targets = [_parse_target(text[since:until]) for since, until in sides]
        listed = _position_in_list(text, part.operators[len(sides) - 1].end, at) if sides and part.operators else ""
        said = _DIRECTIVE.sub(b"", text[part.begin : part.end])
        if self._may_vanish(said):
            return _NOWHERE, []
        if not targets:
            if (left := _RETURN.search(text, part.begin, part.end)) is not None:
                return frozenset((RESULT + _position_in_list(text, left.end(), at),)), []
            if (made := _MADE.match(said[:_LONGEST])) is None:
                return _destinations_of_expression_statement(said), []
            targets = [_Target(made[1].decode(), True, declared=True)]
        each = [self._destination_of_target(it, piece, listed) for it in targets if it is not None]
        variables = [it for it in each if isinstance(it, _Variable)]
        return _NOWHERE.union(*(it for it in each if not isinstance(it, _Variable))), variables

    def _part(self, piece: _Piece, at: int) -> _Part:
        """Return the part of a statement that holds a place."""
        parts = self._parts_of_statement(piece)
        return next((it for it in parts if at < it.end), parts[-1])

    def _parts_of_statement(self, piece: _Piece) -> Sequence[_Part]:
        parts = self._read.get(piece.start)
        if parts is None:
            label = _LABEL.match(self._text, piece.start, piece.end)
            start = label.end() if label is not None else piece.start
            parts = self._read[piece.start] = _split_at_commas(self._text, start, piece.end)
        return parts

    def _narrow_destinations_to_member(
        self, part: str, at: int, end: int, found: frozenset[str], variables: list[_Variable]
    ) -> tuple[frozenset[str], list[_Variable]]:
        """Return where a part of what stands at a place goes where all of that goes there: as the part that it is, if
        nothing is made of it."""
        text = self._text
        alone = part and _WHOLE_ENDS.match(text, end) and _TAKEN_WHOLE.search(text, max(at - _NEAR, 0), at)
        if not alone:
            return found, variables
        named = frozenset(RESULT + part if it == RESULT else it for it in found)
        return named, [it if it.part else replace(it, part=part) for it in variables]

    def _destination_of_target(self, target: _Target, piece: _Piece, listed: str) -> frozenset[str] | _Variable:
        name = target.name
        if name in self._followed:
            return frozenset((name,))
        moves = name in self._pointers and self._does_statement_reassign_pointer(name, piece)
        if name in self._pointing and not moves:
            return self._destination_through_own_parameter(name)
        if not target.declared and name not in self._values and not moves:
            kind = self._declared_kind(name)
            if kind is None:
                return _NOWHERE if target.whole else _EFFECT
            if kind == "pointer" and not target.whole:
                return _EFFECT
        where = Span(piece.end, piece.block.end) if target.declared else self._body
        part = listed if target.declared and listed else target.part
        return _Variable(name, where, Span(piece.start, piece.end), part)

    def _does_statement_reassign_pointer(self, pointer: str, piece: _Piece) -> bool:
        """Return whether a statement gives a pointer another value, and nothing what that points to."""
        return re.match(rb"\s*%b\s*[-+]?=(?!=)" % pointer.encode(), self._text[piece.start : piece.end]) is not None

    def _steps_of_variable(self, variable: _Variable) -> list[_Step]:
        """Return where its value goes from the places where it is named; where it surely goes comes first."""
        if variable not in self._known:
            self._known[variable] = sorted(self._steps(variable), key=lambda it: not it.sure)
        return self._known[variable]

    def _steps(self, variable: _Variable) -> Iterator[_Step]:
        end, replaced = len(variable.name), set[str]()
        for number, at in enumerate(self._mentions(variable.name, variable.where.start, variable.where.end)):
            if number > _MOST:
                return
            if variable.given.start <= at < variable.given.end or not self._may_run_after(variable, at):
                continue
            if self._is_overwritten_at(variable, at):
                return
            if _is_other_member_or_element(variable.part, self._text, at + end):
                continue
            part = _PART.match(self._text, at + end)
            step = _without_whitespace(part[0]) if part is not None else ""
            if step and at >= variable.given.start and self._is_part_assigned_at(variable.name, at):
                replaced.add(step)
            if step in replaced:
                continue
            to, variables = self._narrow_destinations_to_member(
                variable.part, at, at + end, *self._destinations_of_mention(variable.name, at)
            )
            if to or variables:
                sure = self._surely_runs(at, variable.given.start)
                yield _Step(at, to, variables, sure)
                if sure and EFFECT in to:
                    return

    def _may_run_after(self, variable: _Variable, at: int) -> bool:
        """Return whether a place may run after the variable is given its value, and does not hand it to the same
        function again."""
        text, given = self._text, variable.given.start
        if variable.by:
            before = text[max(text.rfind(b";", 0, at), 0) : at]
            again = before.rfind(variable.by.encode() + b"(")
            if again >= 0 and b")" not in before[again:]:
                return False
        if at >= given:
            return True
        if self._rounds is None:
            self._rounds = repeated_spans(text, self._body)
        return any(it.start <= at and given < it.end for it in self._rounds)

    def _surely_runs(self, at: int, given: int) -> bool:
        """Return whether nothing is known that keeps the text at a place from running where that at `given` does."""
        return not any(it.start <= at < it.end and not it.start <= given < it.end for it in self._unsure)

    def _is_part_assigned_at(self, name: str, at: int) -> bool:
        """Return whether the element or member that is named there is given a value, whatever it was."""
        piece = self._statement_at(at)
        if piece is None or piece.condition:
            return False
        part = self._part(piece, at)
        sides = [*_left_sides(part, at)]
        target = _parse_target(self._text[sides[-1][0] : sides[-1][1]]) if sides else None
        if target is None or target.name != name or not sides[-1][0] <= at < sides[-1][1]:
            return False
        operator = part.operators[len(sides) - 1]
        return self._text[operator.start : operator.end] == b"="

    def _is_overwritten_at(self, variable: _Variable, at: int) -> bool:
        """Return whether the variable is given another value there, which its own has no part in."""
        piece = self._statement_at(at)
        if piece is None or piece.condition or at < variable.given.end:
            return False
        part = self._part(piece, at)
        if len(part.operators) != 1:
            return False
        sign = self._text[part.operators[0].start : part.operators[0].end]
        left, right = self._text[part.begin : part.operators[0].start], self._text[part.operators[0].end : part.end]
        name = variable.name.encode()
        if left.strip() != name:
            return False
        anew = sign == b"=" and not any(occurrences_of(right, name, 0, len(right)))
        return anew or self._may_vanish(b"%b %b %b" % (name, sign[:-1], right.strip()))  # `v ^= v`

    def _mentions(self, name: str, start: int, end: int) -> Iterator[int]:
        """Yield where a variable is named and evaluated: not a member of something by that name."""
        for at in occurrences_of(self._text, name.encode(), start, end):
            if not _ELSEWHERE.search(self._text, max(at - _NEAR, 0), at):
                yield at

    def _destinations_of_mention(self, name: str, at: int) -> tuple[frozenset[str], list[_Variable]]:
        """Return where the value of a variable goes from there."""
        piece = self._statement_at(at)
        if piece is not None and not piece.condition:
            for since, until in _left_sides(self._part(piece, at), at):
                target = _parse_target(self._text[since:until]) if since <= at < until else None
                if target is not None and target.name == name:  # it is given a value itself, or what it points to
                    through = not target.whole and self._declared_kind(name) == "pointer"
                    return _EFFECT if through else _NOWHERE, []
            if self._text[piece.start : piece.end].strip(b" \n\t+-") == name.encode():
                return _NOWHERE, []  # `x++`
        return self._direct_destinations(at)

    def _declared_kind(self, name: str) -> str | None:
        """Return what a name is declared as in the body: "pointer" or "variable"; None: it is not."""
        first = next(self._mentions(name, self._body.start, self._body.end), None)
        if first is None:
            return None
        since = max(first - _NEAR, self._body.start)
        if _POINTER.search(self._text, since, first):
            return "pointer"
        return "variable" if _DECLARED.search(self._text, since, first) else None


@remembered(4096)
def _parse_target(said: bytes) -> _Target | None:
    """Return what the left side of an assignment is; None: that cannot be told."""
    said, part = _DIRECTIVE.sub(b"", said).strip(), b""
    while True:
        if said.endswith(b"]"):
            opening = opening_of_last_bracket(said)
            said, part = said[:opening].rstrip(), said[opening:]
        elif member := _POSTFIX.search(said):
            said, part = said[: member.start()].rstrip(), member[0]
        else:
            break
    whole = not part
    if said.endswith(b")"):
        return _parse_parenthesised_target(said)
    name = _NAME.search(said)
    if name is None or name[1] == b"auto":
        return None
    before = said[: name.start()].strip()
    if not before or before.endswith(b"::"):
        first = _PART.match(part)
        return _Target(name[1].decode(), whole, part=_without_whitespace(first[0]) if first is not None else "")
    if not before.strip(b"*"):
        return _Target(name[1].decode(), False)
    return _Target(name[1].decode(), whole, declared=True)


def _parse_parenthesised_target(said: bytes) -> _Target | None:
    """Return what `*(p + i)` or `(a[i])` stands for."""
    opening = opening_of_last_bracket(said)
    before = said[:opening].strip()
    if not before:
        return _parse_target(said[1:-1])
    if not before.startswith(b"*"):
        return None
    root = _WORD.search(_CASTS.sub(b"", said))
    return _Target(root[0].decode(), False) if root is not None else None


@remembered(4096)  # most statements are as they were before an edit
def _value_may_vanish(said: bytes, unsigned: bool) -> bool:
    if SAME_ANYHOW.search(said) or _VANISHING.search(said) or is_tautology_or_contradiction(said):
        return True
    if any(not int(it[1], 0) >> int(it[2]) for it in _SHIFTED_OUT.finditer(said)):
        return True
    return unsigned and _WITH_ZERO.search(said) is not None


def _position_in_list(text: bytes, start: int, at: int) -> str:
    """Return the place of a value in the list that starts there, `{2}` for the third; "" if it is in none."""
    opened = _LIST.match(text, start, at)
    if opened is None:
        return ""
    depth = number = 0
    for match in _NESTED.finditer(text, opened.end(), at):
        depth += (match[0] in b"([{") - (match[0] in b")]}")
        number += match[0] == b"," and not depth
    return f"{{{number}}}"


def _is_other_member_or_element(part: str, text: bytes, end: int) -> bool:
    """Return whether what is named before `end` is surely another element or member than `part`."""
    named = _PART.match(text, end) if part else None
    if named is None:
        return False
    step = _without_whitespace(named[0])
    if part.startswith("{"):
        place = int(part[1:-1])
        return step not in (f"[{place}]", *(f".{it}" for it in _VECTOR[place : place + 1]))
    return step != part


def _without_whitespace(part: bytes) -> str:
    return b"".join(part.split()).decode()


def _destinations_of_expression_statement(said: bytes) -> frozenset[str]:
    """Return where the value of a statement goes that assigns and declares nothing."""
    if _VOID.match(said):
        return _NOWHERE
    if _CHANGED.search(said) or _ASM.match(said):
        return _EFFECT
    call = _CALL.match(said[:_LONGEST])
    return frozenset((call_destination(call[1].decode()),)) if call is not None else _NOWHERE


def _split_at_commas(text: bytes, start: int, end: int) -> list[_Part]:
    """Return the parts of a statement between commas."""
    begin, depth, operators, found = start, 0, list[Span](), list[_Part]()
    for match in _OPERATOR.finditer(text, start, end):
        token = match[0]
        if token in b"([{":
            depth += 1
        elif token in b")]}":
            depth -= 1
        elif depth:
            continue
        elif token != b",":
            operators.append(Span(match.start(), match.end()))
        else:
            found.append(_Part(begin, match.start(), operators))
            begin, operators = match.end(), []
    found.append(_Part(begin, end, operators))
    # Commas of template arguments part nothing.
    return found if any(it.operators for it in found) else [_Part(start, end, ())]


def _left_sides(part: _Part, at: int) -> Iterator[tuple[int, int]]:
    """Yield the left sides that are given the value at a place, and the one that this is part of."""
    begin = part.begin
    for it in part.operators:
        yield begin, it.start
        if at < it.start:
            return
        begin = it.end


def opening_of_last_bracket(said: bytes) -> int:
    """Return where the bracket opens that the text ends with."""
    depth = 0
    for index in range(len(said) - 1, -1, -1):
        depth += (said[index] in b")]") - (said[index] in b"([")
        if not depth:
            return index
    return 0


def occurrences_of(text: bytes, name: bytes, start: int, end: int) -> Iterator[int]:
    """Yield where a word stands between two offsets."""
    at = text.find(name, start, end)
    while at >= 0:
        after = at + len(name)
        if (not at or text[at - 1] not in _IN_WORDS) and (after == len(text) or text[after] not in _IN_WORDS):
            yield at
        at = text.find(name, after, end)


def _split_statements(text: bytes, body: Span) -> Iterator[_Piece]:
    """Yield the statements of a body, and the parts of heads. Of a lambda in one, its own come first."""
    start, block, stack = body.start, _Block(body.end), list[_Open]()
    for match in _TOKEN.finditer(text, body.start, body.end):
        token, at = match[0], match.start()
        kind = stack[-1].kind if stack else "block"
        if token in (b"(", b"["):
            near = text[max(start, at - _NEAR) : at] if token == b"(" and kind == "block" else b""
            kind = "head" if near and _HEAD.search(near) else "for" if near and _FOR.search(near) else "("
            stack.append(_Open(kind, match.end() if kind != "(" else start))
        elif token == b"{":
            if (kind == "block" and not _BLOCK.search(text[start:at])) or (
                kind == "(" and not _opens_lambda_body(text, at)
            ):
                stack.append(_Open("(", start))
            else:
                stack.append(_Open("block", start, block=block, inside=kind == "("))
                start, block = match.end(), _Block(body.end)
        elif token in (b")", b"]", b"}"):
            if not stack:
                continue
            opened = stack.pop()
            if opened.block is not None:
                block.end = at
                block, start = opened.block, opened.start if opened.inside else match.end()
            elif opened.kind in ("head", "for"):
                yield _Piece(opened.start, at, block, opened.kind == "head" or opened.parts == 1)
                start = match.end()
        elif token == b";":
            if kind in ("head", "for"):
                yield _Piece(stack[-1].start, at, block, kind == "for" and stack[-1].parts == 1)
                stack[-1].start = match.end()
                stack[-1].parts += 1
            elif kind == "block":
                yield _Piece(start, at, block)
                start = match.end()
    if start < body.end:
        yield _Piece(start, body.end, block)


def _opens_lambda_body(text: bytes, at: int) -> bool:
    """Return whether the brace opens the body of a lambda."""
    return text[max(at - _NEAR, 0) : at].rstrip().endswith((b")", b"]", b"mutable", b"noexcept"))
