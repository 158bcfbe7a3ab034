"""PTX: launch bounds, and static shared memory where every way to lay it out takes the same bytes.

Its registers are not those of the device, and are not read: only ptxas or the driver gives a kernel real ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import Reading, Usage

_VERSION = regex(rb"(?m)^[ \t]*\.version[ \t]+\d+\.\d")
_ANY_TARGET = regex(rb"(?m)^[ \t]*\.target[ \t]+sm_\d")
_BEGINNING = 1 << 16  # bytes in which both must stand

_TARGET = regex(r"\.target\s+(sm_\w{1,8})")
_NO_STATEMENT = regex(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"[^\"\n]*\"|^[ \t]*\.(?:version|target|address_size|file|loc)\b[^\n;{}]*",
    re.DOTALL | re.MULTILINE,
)
_BRACE = regex(r"[{}]")
_END = regex(r"[;{}]")
_ENTRY = regex(r"\.entry\s+([\w$]+)")
_THREADS = regex(r"\.(maxntid|reqntid)\s+(\d{1,9})(?:\s*,\s*(\d{1,9}))?(?:\s*,\s*(\d{1,9}))?")
_CALL = regex(r"\bcall\b")
_WORD = regex(r"[\w$]+")
_ELSEWHERE = regex(r"\s*\.extern\s+\.func\s+(?:\([^)]*\)\s*)?([\w$]+)")
_DRIVERS_OWN = {"vprintf", "malloc", "free", "__assertfail"}

_SHARED = regex(r"\s*((?:\.\w+\s+)*?)\.shared\s+(?:\.align\s+(\d{1,9})\s+)?(.*)", re.DOTALL)
_VARIABLE = regex(r"(?:\.v([24])\s+)?\.[busf](8|16|32|64|128)\s+([\w$]+)\s*((?:\[\d{0,9}\]\s*){0,8})")
_SIZE = regex(r"\[(\d*)\]")
_LEAST_ALIGNMENT = 16  # bytes: of dynamic shared memory


@dataclass(frozen=True, slots=True)
class _Piece:
    """One block with its head, and what stands at file scope before it."""

    line: int
    before: str
    head: str
    body: str


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    size: int  # bytes
    align: int
    dynamic: bool = False


@dataclass(frozen=True, slots=True)
class _Outside:
    """What a kernel may use besides variables of its own."""

    variables: Mapping[str, _Variable]  # static ones, by name
    unit: int  # bytes: static variables of a kernel take a multiple of it
    in_functions: bool  # functions have variables of their own, or may have, for they are in another file
    unread: bool  # a declaration was not understood


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is PTX."""
    beginning = data[:_BEGINNING]
    if b".version" not in beginning:  # which is told sooner
        return False
    return _VERSION.search(beginning) is not None and _ANY_TARGET.search(beginning) is not None


def read(data: bytes, path: str) -> Reading:
    """The kernels in their order; `line` is that of the name. Never raises."""
    whole = data.decode("utf-8", "replace")
    target = _TARGET.search(whole)
    arch = canonical(target[1]) if target else None
    pieces = list(_pieces(_NO_STATEMENT.sub(lambda match: "\n" * match[0].count("\n") or " ", whole)))
    outside = _outside(pieces)
    usages = (_usage(piece, match, path, arch, outside) for piece in pieces if (match := _ENTRY.search(piece.head)))
    return Reading(tuple(usages))


def _pieces(text: str) -> Iterator[_Piece]:
    """The file cut at its outermost blocks."""
    start = opened = depth = 0
    line = 1
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened = match.end() if depth == 0 else opened
            depth += 1
        elif depth == 1:
            cut = text.rfind(";", start, opened) + 1 or start
            yield _Piece(
                line + text.count("\n", start, cut), text[start:cut], text[cut:opened], text[opened : match.start()]
            )
            line += text.count("\n", start, match.end())
            start, depth = match.end(), 0
        else:
            depth = max(depth - 1, 0)
    yield _Piece(line, text[start:] if depth == 0 else "", "", "")


def _usage(piece: _Piece, name: re.Match[str], path: str, arch: str | None, outside: _Outside) -> Usage:
    bounds = {match[1]: match.groups()[1:] for match in _THREADS.finditer(piece.head, name.end())}
    threads = {bound: prod(int(size) for size in sizes if size) for bound, sizes in bounds.items()}
    return Usage(
        name[1],
        "compiled",
        path,
        piece.line + piece.head.count("\n", 0, name.start()),
        arch,
        static_local=_static(piece.body, outside),
        group_size=threads.get("reqntid") or None,
        max_group_size=threads.get("maxntid") or None,
    )


def _outside(pieces: list[_Piece]) -> _Outside:
    """A kernel with dynamic shared memory in its file takes static memory in multiples of that one's alignment."""
    before = "".join(piece.before for piece in pieces)
    declared = _variables(before)
    functions = (piece.body for piece in pieces if ".func" in piece.head)
    elsewhere = {match[1] for statement in _END.split(before) if (match := _ELSEWHERE.match(statement))}
    aligns = [variable.align for variable in declared or () if variable.dynamic]
    return _Outside(
        {variable.name: variable for variable in declared or () if not variable.dynamic},
        max(_LEAST_ALIGNMENT, *aligns) if aligns else 1,
        not elsewhere <= _DRIVERS_OWN or any(_variables(body) != [] for body in functions),
        declared is None,
    )


def _static(body: str, outside: _Outside) -> int | None:
    """Bytes of a kernel's own variables and those outside that it names; None if functions may add to them."""
    own = _variables(body)
    words = set(_WORD.findall(body)) if outside.variables else set()
    named = [outside.variables[word] for word in words if word in outside.variables]
    hidden = outside.in_functions or len(named) < len(outside.variables)
    if own is None or outside.unread or (hidden and _CALL.search(body)):
        return None
    return _size([*own, *named], outside.unit)


def _size(variables: list[_Variable], unit: int) -> int | None:
    """Bytes, if they are the same in whichever order the variables are laid out."""
    if not variables:
        return 0
    largest = max(variable.align for variable in variables)
    padding = [-variable.size % largest for variable in variables]
    least = sum(variable.size for variable in variables)
    most = least + sum(padding) - min(padding)  # the last one is not filled up
    rounded = -(-least // unit) * unit
    return rounded if rounded == -(-most // unit) * unit else None


def _variables(text: str) -> list[_Variable] | None:
    """The shared ones that are declared; None if one of them cannot be read."""
    found = []
    for statement in _END.split(text):
        if match := _SHARED.match(statement):
            dynamic = ".extern" in match[1]
            variable = _VARIABLE.fullmatch(match[3])
            if variable is None or (dynamic and "[]" not in match[3]):  # of another file
                return None
            found.append(_variable(variable, match[2], dynamic))
    return found


def _variable(match: re.Match[str], align: str | None, dynamic: bool) -> _Variable:
    vector, bits, name, dimensions = match.groups()
    each = int(vector or 1) * int(bits) // 8
    count = prod(int(size or 0) for size in _SIZE.findall(dimensions))
    return _Variable(name, each * count, int(align or 0) or each, dynamic)
