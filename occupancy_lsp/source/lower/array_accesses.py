"""How a function picks elements of its shared arrays, and of what its pointer parameters point to.

Read off the text behind, before and around each place where one is named.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence, Set
from functools import partial
from operator import attrgetter

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import frozen
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import ArrayAccess, Effect, Function, VariableAssignment
from occupancy_lsp.source.lower.possibly_unreachable_regions import (
    SAME_ANYHOW,
    assigned_names,
    possibly_unreachable_spans,
)
from occupancy_lsp.source.lower.value_destinations import ValueFlow, occurrences_of, opening_of_last_bracket

_FACTORS = regex(rb"[*/%&(]|<<|>>|\|\|")
# What else tells how many values a variable has: comparisons, elements, which may be narrow, and what is named twice.
_STRUCTURED = regex(rb"[*/%&(<>!?[]|==|\|\||\b([A-Za-z_]\w*)\b.*\b\1\b")
_ONE_MEMBER = regex(rb"\s*[A-Za-z_]\w*\.[A-Za-z_]\w*\s*")
_SPACES = regex(rb"\s*")
_MEMBER = regex(rb"(?:\.|->)\s*([A-Za-z_]\w*)")
# No suffix of a number. These begin with sets of bytes, to which `re` leaps.
_WORD = regex(rb"[A-Za-z_](?<!\w.)(?<!\d\..)\w*")
_PLUS = regex(rb"[+-](?![+=>-])")
_TERM = regex(rb"[^,;{}?:=<>&|]*")
_CAST = regex(rb"(?:\(\s*[A-Za-z_][\w\s:]*[*&]+\s*\)|\b\w*_cast\s*<[^<>();]*>\s*\()\Z")
_GROUPED = regex(rb"(?<![\w>\"\s])\s*\(\Z")
_GROUP_ENDS = regex(rb"\s*((?:[+-](?![+=>-])[^(){};,]*(?:\([^(){};]*\)[^(){};,]*)*)?)\)")
_PICKS = regex(rb"(?:\A|[;{}(,=?:\[<>!&|+-]|\breturn|\belse)\s*\*\Z")  # a `*` that multiplies nothing
_HEAD = regex(rb"\b(?:if|while|for|switch)(?:\s+constexpr)?\s*\Z")
_VOLATILE = regex(rb"\bvolatile\b[^;{}()=]*\Z")  # what is declared so
_WRITTEN = regex(rb"\s*=(?!=)")
_CHANGED = regex(rb"\s*(?:(?:<<|>>|[-+*/%&|^])=|\+\+|--)")
_CHANGED_BEFORE = regex(rb"(?:\+\+|--)\Z")
_DECLARATOR = regex(rb"\s*\)\s*[\[(]")  # behind the name of a pointer to an array or a function
_MACRO = regex(rb"[A-Z](?<![\w.>:].)(?:[A-Z0-9_]\w*)?(?=\s*\()")
_STATEMENTS = regex(rb"[;{}]")
_IN_WORDS = string.ascii_letters.encode() + b"0123456789_"
_ARGUMENTS = regex(rb"\s*<[^<>();]*>\Z")
_POINTER_ENDS = (b"*", b"&", b"auto", b"const", b"restrict", b"__restrict__", b"__restrict")
_THROUGH = regex(rb"(?:[;{}()=]|\belse)\s*\*+\s*\Z")  # a pointer, to what it points to
_DECLARES_POINTER = regex(rb"(?:[*&]|\bauto)\s*(?:(?:const|__restrict__|__restrict|restrict)\s+)*\Z")
_AUTO = regex(rb"\bauto\s*(?:const\s+)?\Z")
_INDEXED = regex(rb"\b([A-Za-z_]\w*)\s*\[")
_GIVEN = (  # a value, by a statement or by an atomic function of a shader
    regex(rb"\b([A-Za-z_]\w*)(?:\s*\.\s*\w+)*\s*(?:(?:<<|>>|[-+*/%&|^])?=(?!=)|\+\+|--)"),
    regex(rb"\b(?:atomic|Interlocked)\w+\s*\(\s*([A-Za-z_]\w*)"),
)
HAVING_MEMBERS = regex(rb"\b(?!gl_)([A-Za-z_]\w*)\s*\.\s*[A-Za-z_]")
_DECLARED = regex(rb"(?:(?!return\b|else\b|case\b)\b[A-Za-z_]\w*|[*&>,])\s*\Z")  # a type or another declarator
_FOR = regex(rb"\bfor\s*\([^;(){}]*\Z")
_CONDITION = regex(rb";([^;&|{}]*);")  # a loop with several may be unrolled by one of them
_CHANGES = regex(rb"[-+*/%&|^<>]=\Z")  # the variable from what it was
_NONE: frozenset[str] = frozenset()
_NEAR = 64
_LONGEST = 256  # bytes of an index, and of what stands before a name, that are looked at
_MOST_WORDS = 32
_LITERAL = regex(rb"\s*(?:(true|false)|(-?0[xX][\da-fA-F]+)[uUlL]*|(-?(?:\d+\.?\d*|\.\d+))[uUlLfF]*)\s*")
SIZE = regex(rb"\bsizeof\b|\balignof\b")
_ADDRESS = regex(rb"(?<![\w.])(&\s*)?([A-Za-z_]\w*)(?!\w)(?(1)|(?!\s*(?:[\[.(]|->)))")
_CALLED = regex(rb"(?:\w|(?<!_cast)<(?:[^<>;()]|<[^<>;()]*>)*>)\s*\([^()]*\)")
_LOADED = regex(rb"(?:\A|[(,+\-*/%&|^<>?:!~])\s*\*\s*[\w(&]")  # by way of a pointer
_NESTING = regex(rb"[()]")
_START = attrgetter("start")
_TWO_NUMBERS = regex(rb"\s*(\d+)[uUlL]*\s*:\s*(\d+)[uUlL]*\s*(?:[])},;]|\Z)")


@dataclass(frozen=True, slots=True)
class ArrayAccesses:
    """Where static shared arrays, pointer parameters and pointers made of these are named, and what is assigned to the
    variables that indices are made of. `flow`: where values go; None: nothing is named."""

    accesses: tuple[ArrayAccess, ...] = ()
    assigned: tuple[VariableAssignment, ...] = ()
    flow: ValueFlow | None = None


def array_accesses(function: Function) -> ArrayAccesses:
    """Worked out when somebody asks: of most functions nobody does."""
    return function.remembered_answers.ask(
        "picks", lambda: ArrayAccesses() if function.specifiers.host else _find_accesses(function)
    )


def _find_accesses(function: Function) -> ArrayAccesses:
    body, arrays, parameters = function.body, function.memory.arrays, function.parameters
    text = _padded_function_text(function)
    shared = {it.field.name for it in arrays if not it.dynamic and it.field.name}
    given = {it.name.encode() for it in parameters}
    for uses in (_INDEXED, *(_GIVEN if function.memory.shares_globals else ())):
        shared |= {*names_declared_outside(text, body, given, uses)}
    pointers = {it.name for it in parameters if it.name and it.type[-1:] in ("*", "&", "]")}
    handed = set[str]() if function.kernel else pointers
    if not shared and not handed:
        return ArrayAccesses()
    given_to = _Assignments(text[body.start :], body.start)
    single = {it.field.name for it in arrays if not it.field.extents}
    for it in given_to.pointer_assignments(single):
        for names in (shared, handed):
            if not names.isdisjoint(it.words):
                names.add(it.name)
    named = shared | handed
    lasting = {it.field.name for it in arrays if it.volatile} | {it.name for it in parameters if it.volatile}
    flow = _create_value_flow(function, text, shared)
    where = _Where(flow, lasting | {*given_to.volatile_names()})
    places = sorted((*_name_occurrences(text, body, named), *_possible_macro_calls(text, body)))
    found = tuple(_parse_access(text, at, name, body, where) for at, name in places)
    wanted = {word for it in found for word in _names_in_indices(it)} | named
    return ArrayAccesses(found, given_to.needed(wanted), flow)


def value_flow_of(function: Function) -> ValueFlow:
    """Return where values go in a function."""
    return array_accesses(function).flow or function.remembered_answers.ask(
        "value flow", lambda: _create_value_flow(function, _padded_function_text(function), _NONE)
    )


def _padded_function_text(function: Function) -> bytes:
    return b" " * function.head.start + function.texts.device_code


def _create_value_flow(function: Function, text: bytes, followed: Set[str]) -> ValueFlow:
    unsure = possibly_unreachable_spans(function.flow.branches, function.flow.passages)
    return ValueFlow(text, function.body, function.parameters, followed, unsure, handing=not function.kernel)


@remembered(1024)
def accesses_in_macro(text: str, name: str) -> Sequence[ArrayAccess]:
    """Return where the body of a macro names something. The value of an expression goes to where the macro stands."""
    code = text.replace("\\\n", " ").encode()
    code = code if _STATEMENTS.search(code) else b"return " + code
    whole = Span(0, len(code))
    where = _Where(ValueFlow(code, whole, (), {name}, ()), set())
    return tuple(_parse_access(code, at, name, whole, where) for at, name in _name_occurrences(code, whole, {name}))


@dataclass(frozen=True, slots=True)
class _Where:
    """What is known of the text around accesses. `lasting`: the names of what is `volatile`."""

    flow: ValueFlow
    lasting: Set[str]


def _possible_macro_calls(text: bytes, body: Span) -> Iterator[tuple[int, str]]:
    """Yield what is called and may be a macro that names an array."""
    for it in _MACRO.finditer(text, body.start):
        yield it.start(), it[0].decode()


def names_declared_outside(text: bytes, body: Span, parameters: Set[bytes], uses: re.Pattern[bytes]) -> Iterator[str]:
    """Yield the names with such a use that are not declared in the body, as those of arrays around it are not."""
    inside = text[body.start :]
    seen = {*parameters}
    for match in uses.finditer(inside):
        if match[1] not in seen and not _stripped_text_before(inside, match.start()).endswith((b".", b"->")):
            seen.add(match[1])
            first = next(occurrences_of(inside, match[1], 0, len(inside)), None)
            if first is not None and not _is_preceded_by(_DECLARED, inside, first):
                yield match[1].decode()


class _Assignments:
    """What the variables of a body are given, of which little is asked."""

    def __init__(self, inside: bytes, start: int) -> None:
        self._inside = inside
        self._start = start  # of the body in its item
        # Each name, where it stands, and where its value begins and ends.
        self._each = [
            (name.decode(), inside.rfind(name, 0, begin), begin, end) for name, begin, end in assigned_names(inside)
        ]

    def pointer_assignments(self, single: Set[str]) -> Iterator[VariableAssignment]:
        """Yield what pointers are declared with, and what names something as an address, in the order of the text.
        `single`: what is no array, and no address but behind `&`."""
        for name, at, begin, end in self._each:
            if self._declares_pointer(at):
                yield self._create_assignment(name, at, begin, end)
                continue
            if self._inside[at + len(name) : begin].strip() != b"=":
                continue
            said = self._inside[begin : min(end, begin + _LONGEST)]
            if b"(" in said:
                said = _CALLED.sub(b"", _CALLED.sub(b"", said))
            if _LOADED.search(said):
                continue
            named = frozenset(
                word for each in _ADDRESS.finditer(said) if (word := each[2].decode()) not in single or each[1]
            )
            if named:
                yield VariableAssignment(name, self._start + begin, named, False)

    def volatile_names(self) -> Iterator[str]:
        """Yield what is declared `volatile`."""
        each = self._each if b"volatile" in self._inside else ()
        return (name for name, at, _, _ in each if _is_preceded_by(_VOLATILE, self._inside, at))

    def needed(self, wanted: set[str]) -> tuple[VariableAssignment, ...]:
        """Return, in the order of the text, the assignments to the variables and to those that their values name."""
        of: dict[str, list[tuple[str, int, int, int]]] = {}
        for it in self._each:
            of.setdefault(it[0], []).append(it)
        found: list[VariableAssignment] = []
        todo = wanted & of.keys()
        done = set(todo)
        while todo:
            each = [self._create_assignment(*it) for it in of[todo.pop()]]
            more = {word for it in each for word in it.words if word in of and word not in done}
            found += each
            done |= more
            todo |= more
        return tuple(sorted(found, key=_START))

    def _create_assignment(self, name: str, at: int, begin: int, end: int) -> VariableAssignment:
        inside = self._inside
        said = inside[begin : min(end, begin + _LONGEST)]
        changed = _CHANGES.match(inside, max(begin - 2, 0), begin) is not None
        points = self._declares_pointer(at)
        # A pointer is made of what it points to whatever number is added.
        hangs = all_words(without_ternary_conditions(said)) if points else names_in_expression(said)
        condition = _loop_condition_of_counter(inside, at, end)
        whole = inside[at + len(name) : begin].strip() == b"="
        return VariableAssignment(
            name,
            self._start + begin,
            hangs | ({name} if changed else names_in_expression(condition)),
            points,
            _literal_number(said) if whole else None,
            (" ".join(sorted(hangs)),)
            if points and not _is_preceded_by(_AUTO, inside, at)
            else self._value_expressions(name, begin, said, changed, condition, _STRUCTURED if whole else _FACTORS),
        )

    def _value_expressions(
        self, name: str, begin: int, said: bytes, changed: bool, condition: bytes, telling: re.Pattern[bytes]
    ) -> tuple[str, ...]:
        """Return what a variable is made of, as expressions: of those in which `telling` is not found, the names."""
        if not changed:
            return tuple(
                it.decode("utf-8", "replace") if telling.search(it) else _space_separated_names(it)
                for it in (said, condition)
            )
        sign = self._inside[begin - 2 : begin - 1].decode()
        sign = sign * 2 if sign in "<>" else sign
        return (f"{name} {sign} ({said.decode('utf-8', 'replace')})",)

    def _declares_pointer(self, at: int) -> bool:
        return (
            _stripped_text_before(self._inside, at).endswith(_POINTER_ENDS)
            and _is_preceded_by(_DECLARES_POINTER, self._inside, at)
            and not _is_preceded_by(_THROUGH, self._inside, at)
        )


def _space_separated_names(said: bytes) -> str:
    """Return what says as much as a text without factors, and stays the same where numbers in it change."""
    return said.decode().strip() if _ONE_MEMBER.fullmatch(said) else " ".join(sorted(names_in_expression(said)))


def _literal_number(said: bytes) -> float | None:
    literal = _LITERAL.fullmatch(said)
    if literal is None:
        return None
    if literal[1]:
        return float(literal[1] == b"true")
    return float(int(literal[2], 16) if literal[2] else float(literal[3]))


def _loop_condition_of_counter(inside: bytes, at: int, end: int) -> bytes:
    """Return the condition of the loop in whose head the variable at `at` gets its first value: a counter varies where
    the number of rounds does."""
    if inside.rfind(b"for", max(at - _LONGEST, 0), at) < 0 or not _is_preceded_by(_FOR, inside, at, _LONGEST):
        return b""
    condition = _CONDITION.match(inside, end)
    return condition[1] if condition is not None else b""


@remembered(8192)  # the same texts are asked about at every key, and in every instance
def names_in_expression(said: bytes) -> frozenset[str]:
    """Return the names in an expression; none where it comes to the same number whatever these are."""
    if SAME_ANYHOW.search(said) or SIZE.search(said):
        return _NONE
    return all_words(without_ternary_conditions(said))


def all_words(said: bytes) -> frozenset[str]:
    return frozen(it.decode() for it in _WORD.findall(said)[:_MOST_WORDS])


def without_ternary_conditions(said: bytes) -> bytes:
    """Return an expression without conditions that choose between what may be the same number."""
    at = said.rfind(b"?")
    while at >= 0:
        numbers = _TWO_NUMBERS.match(said, at + 1)
        if numbers is None or int(numbers[1]) == int(numbers[2]):
            said = said[: _start_of_ternary_condition(said, at)] + b" " + said[at + 1 :]
        at = said.rfind(b"?", 0, at)
    return said


def _start_of_ternary_condition(said: bytes, end: int) -> int:
    """Return where the operand of `?` starts: behind a bracket that is open there, a comma or another alternative."""
    depth = 0
    for index in range(end - 1, -1, -1):
        letter = said[index : index + 1]
        depth += (letter in b")]") - (letter in b"([")
        if depth < 0 or (not depth and letter in b",?;"):
            return index + 1
    return 0


def _name_occurrences(text: bytes, body: Span, names: Set[str]) -> Iterator[tuple[int, str]]:
    for at, name in sorted((at, it) for it in names for at in occurrences_of(text, it.encode(), body.start, len(text))):
        if not _stripped_text_before(text, at).endswith(b"."):
            yield at, name


def _stripped_text_before(text: bytes, at: int) -> bytes:
    """Return what stands before a place, without the space between."""
    return text[max(at - _LONGEST, 0) : at].rstrip()


def _is_preceded_by(ending: re.Pattern[bytes], text: bytes, at: int, reach: int = _NEAR) -> bool:
    """Return whether what stands before a place ends so, within `reach` bytes."""
    return ending.search(text, max(at - reach, 0), at) is not None


def _parse_access(text: bytes, at: int, name: str, body: Span, where: _Where) -> ArrayAccess:
    end, path = _parse_access_path(text, _end_of_macro_arguments(text, at + len(name)))
    around = max(at - _LONGEST, body.start)
    before, address, volatile = text[around:at].rstrip(), False, name in where.lasting
    added: tuple[str, ...] = ()
    while before.endswith((b"(", b")", b"&", b"*")):
        cast, opening = _match_at_end(_CAST, before, b"()"), _match_at_end(_GROUPED, before, b"(")
        inside = _GROUP_ENDS.match(text, end, min(end + _LONGEST, len(text)))
        if before.endswith(b"&") and not before.endswith(b"&&") and not address:
            before, address = before[:-1].rstrip(), True
        elif _ends_with_dereference(before):
            before, path = (
                before[:-1].rstrip(),
                path if address and not added else _extended_path(path, added, ("[*]",)),
            )
            address, added = False, ()
        elif cast is not None and (cast[0].endswith(b")") or inside is None):
            before, volatile = before[: cast.start()].rstrip(), volatile or b"volatile" in cast[0]
        elif inside is not None and (start := cast or opening):  # `((T*)&name)[i]`, `*(name + i)`: the variable's
            before, volatile = before[: start.start()].rstrip(), volatile or b"volatile" in start[0]
            added += _expression_if_varying(inside[1])
            end, more = _parse_access_path(text, inside.end())
            path, address = _extended_path(path, added, more), address and not more
            added = () if more else added
        else:
            break
    term = _TERM.match(text, end, min(end + _LONGEST, len(text))) if _PLUS.match(text, end) else None
    if term is not None:
        added += _expression_if_varying(term[0])
    declares = before.endswith(b"(") and _DECLARATOR.match(text, end)
    effect = "volatile" if volatile and path else _write_effect(text, before, end)
    found = ArrayAccess(name, at, path, added, address, _enclosing_callee(before), effect)
    if effect == "written" or declares:
        return found
    return structs.replace(found, destinations=partial(where.flow.destinations_at, at))


def _ends_with_dereference(before: bytes) -> bool:
    """Return whether a text ends with a `*` that multiplies nothing."""
    if _match_at_end(_PICKS, before, b"*") is not None:
        return True
    head = before[:-1].rstrip() if before.endswith(b"*") else b""
    return head.endswith(b")") and _HEAD.search(head[: opening_of_last_bracket(head)]) is not None


def _expression_if_varying(said: bytes) -> tuple[str, ...]:
    """Return the text of an expression that comes to different numbers by what it names, and no other."""
    return (said.decode("latin-1"),) if names_in_expression(said) else ()


def _extended_path(path: tuple[str, ...], added: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path with more behind it; what was added to the address before is part of the index."""
    if not added or not more:
        return path + more
    return (*path, f"[{' '.join(added)}]", *more)


def _write_effect(text: bytes, before: bytes, end: int) -> Effect:
    """Return what is done to an expression between what stands before it and its end."""
    if _WRITTEN.match(text, end):
        return "written"
    return "changed" if _CHANGED.match(text, end) or _CHANGED_BEFORE.search(before) else ""


def _match_at_end(ending: re.Pattern[bytes], before: bytes, last: bytes) -> re.Match[bytes] | None:
    """Return what a text ends with, if its last byte is one of those that such an ending has."""
    return ending.search(before) if before[-1:] in last else None


def _enclosing_callee(before: bytes) -> str:
    """Return the function in whose argument list the text ends; "" where it is in none."""
    statement = before[max(map(before.rfind, (b";", b"{", b"}"))) + 1 :]
    if b"(" not in statement:
        return ""
    depth = 0
    for match in reversed([*_NESTING.finditer(statement)]):
        if match[0] == b")":
            depth += 1
        elif not depth:
            return _callee_before_arguments(statement[: match.start()].rstrip())
        else:
            depth -= 1
    return ""


def _callee_before_arguments(before: bytes) -> str:
    """Return the function whose arguments begin behind the text; "asm" for operands of inline assembly."""
    if before.endswith(b'"'):
        return "asm"
    arguments = _ARGUMENTS.search(before) if before.endswith(b">") else None
    name = before[: arguments.start()] if arguments is not None else before
    return name[len(name.rstrip(_IN_WORDS)) :].lstrip(string.digits.encode()).decode()


def _parse_access_path(text: bytes, at: int) -> tuple[int, tuple[str, ...]]:
    """Return where the members and indices behind a name end, and these: `.x`, `[i + 1]`."""
    path: list[str] = []
    while True:
        match = _SPACES.match(text, at)
        at = match.end() if match is not None else at
        member = _MEMBER.match(text, at)
        if member is not None:
            path.append("." + member[1].decode())
            at = member.end()
        elif text[at : at + 1] == b"[":
            end = _end_of_brackets(text, at)
            if end is None:
                return at, (*path, "[?]")
            path.append(text[at:end].decode("latin-1"))
            at = end
        else:
            return at, tuple(path)


def _end_of_macro_arguments(text: bytes, at: int) -> int:
    """Return where the arguments of a macro end; of other names, the place itself."""
    start = _SPACES.match(text, at)
    at = start.end() if start is not None else at
    return _end_of_brackets(text, at) or at if text[at : at + 1] == b"(" else at


def _end_of_brackets(text: bytes, at: int) -> int | None:
    depth = 0
    for index in range(at, min(at + _LONGEST, len(text))):
        depth += (text[index] in b"([") - (text[index] in b")]")
        if not depth:
            return index + 1
    return None


def _names_in_indices(access: ArrayAccess) -> Iterator[str]:
    for index in (*access.added, *access.indices):
        yield from names_in_expression(index.encode("latin-1"))
