"""Where a kernel's text changes how many registers its warpgroups have: `setmaxnreg`, and what libraries call it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.certain_reads import certainly_run_statements
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import FunctionMacro
from occupancy_lsp.source.syntax.known_value import Place

_SCOPES = r"(?<![\w:])(?:\w+\s*::\s*){0,3}"
_CHANGE = regex(
    (
        r'\b(?:asm|__asm__)\s*(?:volatile|__volatile__)?\s*\(\s*"\s*setmaxnreg\.(inc|dec)\.sync\.aligned\.u32\s+'
        r'(?:(\d{1,6})|%0)\s*;(?:\\[nt]|\s)*"\s*(?::\s*:\s*"n"\s*\(\s*(\d{1,6})\s*\)\s*)?\)'
        # CUTLASS's, and those in TileLang's text.
        rf"|{_SCOPES}(?:arch|tl)\s*::\s*warpgroup_reg_(alloc|dealloc)\s*<\s*(\d{{1,6}})\s*>\s*\(\s*\)"
        rf"|{_SCOPES}ptx\s*::\s*setmaxnreg_(inc|dec)\s*\(\s*{_SCOPES}n32_t\s*<\s*(\d{{1,6}})\s*>\s*(?:\{{\s*\}}|\(\s*\))\s*\)"
    ).encode()
)
_OF_PARAMETER = regex(
    rb'(?:asm|__asm__)\s*(?:volatile|__volatile__)?\s*\(\s*"\s*setmaxnreg\.(inc|dec)\.sync\.aligned\.u32\s+%0\s*;(?:\\[nt]|\s)*"'
    rb'\s*:\s*:\s*"n"\s*\(\s*(\w+)\s*\)\s*\)'
)
_HEAD = regex(
    rb"(?:template\s*<\s*[\w:\s]+?\b(\w+)\s*>\s*)?[\w\s]*\bvoid\s+\w+\s*\(\s*(?:void\s*)?\)\s*(?:noexcept\s*)?\Z"
)
# The same with whatever number.
_ANY_CHANGE = regex(
    (
        r'\b(?:asm|__asm__)\s*(?:volatile|__volatile__)?\s*\(\s*"\s*setmaxnreg\.(?:inc|dec)\.[^"\n]*"(?:[^"();]|"[^"\n]*"|\([^"();]*\))*\)'
        rf"|{_SCOPES}(?:arch|tl)\s*::\s*warpgroup_reg_(?:de)?alloc\s*<[^;{{}}()]*>\s*\(\s*\)"
        rf"|{_SCOPES}ptx\s*::\s*setmaxnreg_(?:inc|dec)\s*\([^;{{}}()]*(?:\{{\s*\}}|\(\s*\))\s*\)"
    ).encode()
)
_CHOOSES = regex(r"\b(?:if|for|switch|return)\b|[?]|&&|\|\||\bwhile\s*\((?!\s*(?:0|false)\s*\))")
_MOST_ROUNDS = 4  # of functions that call one another
_HANDS = regex(rb"setmaxnreg(?:_inc|_dec)?|warpgroup_reg_|register_(?:de)?alloc")
_CALLS = rb"(?<![\w.>:])(?:\w+\s*::\s*){0,3}(%b)\s*(?:<\s*(\d{1,6})\s*>\s*)?\(\s*\)"
# Comments and pragmas; literals are the group, and stay.
_ASIDE = regex(
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*#[ \t]*pragma[^\n]*|(\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])')",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Change:
    place: Place
    more: bool  # registers, not fewer
    registers: int  # per thread, for each thread of a warpgroup


@dataclass(frozen=True, slots=True)
class RegisterHelper:
    """A function that makes a change and does nothing else. `registers` None: those that its template is given."""

    more: bool
    registers: int | None


Helpers = Mapping[str, RegisterHelper]


def parse_register_helper(head: bytes, body: bytes) -> RegisterHelper | None:
    """What a function is that stands behind `head`; None: it does anything else. Both are without comments."""
    said = _HEAD.search(head)
    inner = body.strip().removeprefix(b"{").removesuffix(b"}").strip().removesuffix(b";").rstrip()
    if said is None:
        return None
    if (whole := _CHANGE.fullmatch(inner)) is not None:
        return RegisterHelper(*_parse_change(whole)) if b"%0" not in inner or any(whole[it] for it in (2, 3)) else None
    named = _OF_PARAMETER.fullmatch(inner)
    return RegisterHelper(named[1] == b"inc", None) if named is not None and said[1] == named[2] else None


def _changes_in_text(text: bytes, helpers: Helpers) -> Iterator[tuple[int, int, bool, int]]:
    """Each change with its start, its end, and what it is."""
    found = {it.end(): (it.start(), *_parse_change(it)) for it in _CHANGE.finditer(text)}
    if helpers:
        for it in re.finditer(_CALLS % _alternation_pattern(helpers), text):
            called = helpers[it[1].decode()]
            if (called.registers is None) == (it[2] is not None):
                registers = int(it[2]) if called.registers is None else called.registers
                found.setdefault(it.end(), (it.start(), called.more, registers))
    yield from ((start, end, more, registers) for end, (start, more, registers) in sorted(found.items()))


def _alternation_pattern(names: Iterable[str]) -> bytes:
    return "|".join(sorted(names)).encode()


def body_with_marked_changes(body: Place, item: bytes, helpers: Helpers) -> bytes:
    """The body without comments, and each change as a call with its number in its name; b"": there is no change.

    `item`: the text of the item that the body is in.
    """
    text, at, pieces = _without_comments(item[body.start : body.end]), 0, []
    for start, end, more, registers in _changes_in_text(text, helpers):
        pieces += [text[at:start], _setmaxnreg_marker_text(more, registers)]
        at = end
    return b"".join((*pieces, text[at:])).strip() if pieces else b""


def _without_comments(text: bytes) -> bytes:
    return _ASIDE.sub(lambda it: it[0] if it[1] else b" " * len(it[0]), text)


def certain_register_changes(head: Place, body: Place, item: bytes, marked: bytes, helpers: Helpers) -> list[Change]:
    """Those that surely run, of the kernel with that head and that body. `item`: the text of its item."""
    if not marked:
        return []
    run = certainly_run_statements(item[head.start : head.end].strip(), marked)
    names = {it[0] for it in run if it[1:] == ["(", ")"]}
    plain = _without_comments(item[body.start : body.end])
    return [
        Change(Place(body.item, body.start + start, body.start + end), more, registers)
        for start, end, more, registers in _changes_in_text(plain, helpers)
        if _setmaxnreg_marker_text(more, registers).decode().removesuffix("()") in names
    ]


def macros_changing_registers(macros: Mapping[str, FunctionMacro]) -> frozenset[str]:
    """Those that change registers whatever they are given, themselves or by others."""
    plain = {name: it for name, it in macros.items() if _CHOOSES.search(it.body) is None}
    found = frozenset(name for name, it in plain.items() if _HANDS.search(it.body.encode()))
    for _ in range(_MOST_ROUNDS):
        found |= {name for name, it in plain.items() if it.names & found}
    return found


def names_surely_changing_registers(functions: Iterable[tuple[str, bytes, bytes]], macros: Set[str]) -> frozenset[str]:
    """The macros, and those of the functions that surely change registers, themselves or by what they call. Of each
    function the name, what stands before its body, and that, without comments; several may share a name."""
    by_name: dict[str, list[tuple[bytes, bytes]]] = {}
    for name, head, body in functions:
        by_name.setdefault(name, []).append((head, body))
    found = frozenset(macros)
    for _ in range(_MOST_ROUNDS):
        more = {
            name for name, each in by_name.items() if all(_spans_of_sure_changes(*it, found) for it in each)
        } - found
        if not more:
            break
        found |= more
    return found


def places_of_sure_changes(head: Place, body: Place, item: bytes, changing: Set[str]) -> list[Place]:
    """Where the kernel with that head and that body surely changes its registers, to whatever number. `changing`: what
    does when it is called; `item`: the text of the kernel's item."""
    text = _without_comments(item[body.start : body.end])
    each = _spans_of_sure_changes(item[head.start : head.end], text, changing)
    return [Place(body.item, body.start + start, body.start + end) for start, end in each]


def _spans_of_sure_changes(head: bytes, body: bytes, changing: Set[str]) -> list[tuple[int, int]]:
    called = rb"|(?<![\w.>:])(?:\w+\s*::\s*){0,3}(?:%b)\s*(?:<[^;{}()]*>)?\s*\((?:[^;{}()]|\([^;{}()]*\))*\)"
    names = _alternation_pattern(changing)
    found = [*re.finditer(_ANY_CHANGE.pattern + (called % names if names else b""), body)]
    if not found:
        return []
    at, pieces = 0, []
    for index, it in enumerate(found):
        pieces += [body[at : it.start()], b"setmaxnreg_%d()" % index]
        at = it.end()
    marked = b"".join((*pieces, body[at:])).strip()
    run = {it[0] for it in certainly_run_statements(head.strip(), marked) if it[1:] == ["(", ")"]}
    return [it.span() for index, it in enumerate(found) if f"setmaxnreg_{index}" in run]


@dataclass(frozen=True, slots=True)
class RequestedRegisters:
    """The registers that a kernel asks for more than it has: by what surely runs, and by all that it may run."""

    sure: tuple[int, ...]
    every: tuple[int, ...]


def requested_registers(
    head: Place, body: Place, item: bytes, helpers: Helpers, handing: Iterable[str], others: Iterable[bytes]
) -> RequestedRegisters | None:
    """None: it is not known that the kernel surely changes its registers, or what else does in it. `others`: the texts
    of functions, but for helpers, and of macros that it may use. `handing`: functions in whose text registers change.

    A function out of sight is taken to leave them as they are unless its name says otherwise.
    """
    text = _without_comments(item[body.start : body.end])
    sure = certain_register_changes(head, body, item, body_with_marked_changes(body, item, helpers), helpers)
    every = [(more, registers) for _, _, more, registers in _changes_in_text(text, helpers)]
    names = _alternation_pattern({*helpers, *handing})
    # A helper may be called `dec`, which stands in the instruction, too.
    hands = re.compile(rb"%b|\b(?<!setmaxnreg[.])(?:%b)\b" % (_HANDS.pattern, names)) if names else _HANDS
    if not sure or len(every) != len(hands.findall(text)) or any(map(hands.search, others)):
        return None
    return RequestedRegisters(
        tuple(it.registers for it in sure if it.more), tuple(registers for more, registers in every if more)
    )


def _parse_change(match: re.Match[bytes]) -> tuple[bool, int]:
    word, number = (next((match[it] for it in of if match[it]), b"0") for of in ((1, 4, 6), (2, 3, 5, 7)))
    return word in (b"inc", b"alloc"), int(number)


def _setmaxnreg_marker_text(more: bool, registers: int) -> bytes:
    return b"setmaxnreg_%s_%d()" % (b"inc" if more else b"dec", registers)


def may_reallocate_registers(item: bytes, body: Place | Span) -> bool:
    """Whether warps may hand registers to each other: they spill by what they were handed, not by the bounds."""
    return _HANDS.search(item, body.start, body.end) is not None
