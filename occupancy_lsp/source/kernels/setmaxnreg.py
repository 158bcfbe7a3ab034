"""Where a kernel's text changes how many registers its warpgroups have: `setmaxnreg`, and what libraries call it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.statements import surely_run
from occupancy_lsp.source.text.values import Place

_SCOPES = r"(?<![\w:])(?:\w+\s*::\s*){0,3}"
_CHANGE = re.compile(
    (
        r'\b(?:asm|__asm__)\s*(?:volatile|__volatile__)?\s*\(\s*"\s*setmaxnreg\.(inc|dec)\.sync\.aligned\.u32\s+'
        r'(?:(\d{1,6})|%0)\s*;(?:\\[nt]|\s)*"\s*(?::\s*:\s*"n"\s*\(\s*(\d{1,6})\s*\)\s*)?\)'
        # CUTLASS's, and those in TileLang's text.
        rf"|{_SCOPES}(?:arch|tl)\s*::\s*warpgroup_reg_(alloc|dealloc)\s*<\s*(\d{{1,6}})\s*>\s*\(\s*\)"
        rf"|{_SCOPES}ptx\s*::\s*setmaxnreg_(inc|dec)\s*\(\s*{_SCOPES}n32_t\s*<\s*(\d{{1,6}})\s*>\s*(?:\{{\s*\}}|\(\s*\))\s*\)"
    ).encode()
)
_HANDS = re.compile(rb"setmaxnreg(?:_inc|_dec)?|warpgroup_reg_|register_(?:de)?alloc")
# Comments and pragmas; literals are the group, and stay.
_ASIDE = re.compile(
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*#[ \t]*pragma[^\n]*|(\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])')",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Change:
    place: Place
    more: bool  # registers, not fewer
    registers: int  # per thread, for each thread of a warpgroup


def marked_body(body: Place, item: bytes) -> bytes:
    """The body without comments, and each change as a call with its number in its name; b"": there is no change.

    `item`: the text of the item that the body is in.
    """
    text = item[body.start : body.end]
    if b"setmaxnreg" not in text and b"warpgroup_reg_" not in text:
        return b""
    return _CHANGE.sub(_call, _plain(text)).strip()


def _plain(text: bytes) -> bytes:
    return _ASIDE.sub(lambda it: it[0] if it[1] else b" " * len(it[0]), text)


def changes(head: Place, body: Place, item: bytes, marked: bytes) -> list[Change]:
    """Those that surely run, of the kernel with that head and that body. `item`: the text of its item."""
    if not marked:
        return []
    run = surely_run(item[head.start : head.end].strip(), marked)
    names = {it[0] for it in run if it[1:] == ["(", ")"]}
    plain = _plain(item[body.start : body.end])
    return [
        Change(Place(body.item, body.start + it.start(), body.start + it.end()), *_said(it))
        for it in _CHANGE.finditer(plain)
        if _call(it).decode().removesuffix("()") in names
    ]


@dataclass(frozen=True, slots=True)
class Asked:
    """The registers that a kernel asks for more than it has: by what surely runs, and by all that it may run."""

    sure: tuple[int, ...]
    every: tuple[int, ...]


def asked(head: Place, body: Place, item: bytes, others: Iterable[bytes]) -> Asked | None:
    """None: it is not known that the kernel surely changes its registers, or what else does in it. `others`: the texts
    of functions and macros that it may use.

    A function out of sight is taken to leave them as they are unless its name says otherwise.
    """
    text = _plain(item[body.start : body.end])
    sure = changes(head, body, item, marked_body(body, item))
    every = [_said(it) for it in _CHANGE.finditer(text)]
    if not sure or len(every) != len(_HANDS.findall(text)) or any(map(_HANDS.search, others)):
        return None
    return Asked(tuple(it.registers for it in sure if it.more), tuple(registers for more, registers in every if more))


def _said(match: re.Match[bytes]) -> tuple[bool, int]:
    word, number = (next((match[it] for it in of if match[it]), b"0") for of in ((1, 4, 6), (2, 3, 5, 7)))
    return word in (b"inc", b"alloc"), int(number)


def _call(match: re.Match[bytes]) -> bytes:
    more, registers = _said(match)
    return b"setmaxnreg_%s_%d()" % (b"inc" if more else b"dec", registers)


def hands_registers(item: bytes, body: Place) -> bool:
    """Whether warps may hand registers to each other: they spill by what they were handed, not by the bounds."""
    return _HANDS.search(item, body.start, body.end) is not None
