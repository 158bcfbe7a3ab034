"""What Triton's intermediate code and the assembly made of it say of a kernel's source.

MLIR's text names the function, the types of its arguments and, in locations, the file and the line of `def`:
`#loc = loc("/k.py":18:1)`, where the function ends in `} loc(#loc)`. Assembly says the same in `.file` and `.loc`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex

_WARPS = regex(rb'"(?:ttg|triton_gpu)\.num-warps" = (\d{1,4}) :')
_END = regex(rb'^  \} loc\(((?:#loc\d*|"[^\n]*))\)$', re.MULTILINE)
_PLACE = rb'"((?:[^"\\\n]|\\.)*)":(\d{1,9}):\d{1,9}'
_ARGUMENT = regex(rb"%[\w.]{1,200}: (?:!tt\.)?([\w.]+(?:<[^%\n]{0,200}?>)?)(?= \{| loc\(|, %|$)")
_ESCAPED = regex(rb'\\(?:([0-9A-Fa-f]{2})|([\\"]))')
_LOC = regex(rb"^\s*\.loc\s+(\d{1,6})\s+(\d{1,9})\s+0\b", re.MULTILINE)
_FILE = regex(rb'^\s*\.file\s+(\d{1,6})\s+"((?:[^"\\\n]|\\.)*)"(?:\s+"((?:[^"\\\n]|\\.)*)")?', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Code:
    """`num_warps`: as the launch asked; `specialises`: whether the source wants specialised warps. None: not said."""

    at: tuple[str, int] | None = None
    num_warps: int | None = None
    specialises: bool | None = None
    arguments: tuple[str, ...] | None = None


def read(files: Mapping[str, bytes], kernel: str) -> Code:
    """Of the files of a kernel by suffix. Never raises."""
    texts = [files[it] for it in (".ttgir", ".ttir", ".source") if it in files]
    assembly = [files[it] for it in (".ptx", ".amdgcn") if it in files]
    heads = [found for it in texts if (found := _function(it, kernel)) is not None]
    places = (*(_place(text, end) for text, _, end in heads), *(_first_line(it, kernel) for it in assembly))
    warps = _WARPS.search(files.get(".ttgir", b""))
    return Code(
        at=next(filter(None, places), None),
        num_warps=int(warps[1]) if warps else None,
        specialises=any(b"warp_specialize" in text for text, _, _ in heads) if heads else None,
        arguments=_arguments(heads[0][1]) if heads else None,
    )


def _function(text: bytes, kernel: str) -> tuple[bytes, bytes, int] | None:
    """The text, the line that the function begins with, and where its body starts."""
    start = text.find(b" @" + kernel.encode() + b"(")
    if start < 0:
        return None
    end = text.find(b"\n", start)
    end = end if end >= 0 else len(text)
    return text, text[start:end], end


def _arguments(head: bytes) -> tuple[str, ...]:
    return tuple(it[1].decode("utf-8", "replace") for it in _ARGUMENT.finditer(head))


def _place(text: bytes, body: int) -> tuple[str, int] | None:
    """What the location at the function's end says."""
    end = _END.search(text, body)
    if end is None:
        return None
    said = end[1]
    if said.startswith(b"#"):
        defined = re.search(rb"^" + said + rb" = loc\(" + _PLACE + rb"\)$", text, re.MULTILINE)
    else:
        defined = re.fullmatch(_PLACE, said)
    return (_plain(defined[1]), int(defined[2])) if defined and int(defined[2]) else None


def _first_line(text: bytes, kernel: str) -> tuple[str, int] | None:
    """Assembly's first line of the function is that of the function itself, and so has no column."""
    label = re.search(
        rb"^(?:\.visible \.entry " + (name := re.escape(kernel.encode())) + rb"\(|" + name + rb":)", text, re.M
    )
    loc = _LOC.search(text, label.end()) if label else None
    if loc is None or not int(loc[2]):
        return None
    named = {it[1]: it for it in _FILE.finditer(text)}.get(loc[1])
    if named is None:
        return None
    path = _plain(named[2])
    return (posixpath.join(path, _plain(named[3])) if named[3] else path), int(loc[2])


def _plain(escaped: bytes) -> str:
    return _ESCAPED.sub(lambda it: bytes.fromhex(it[1].decode()) if it[1] else it[2], escaped).decode(
        "utf-8", "replace"
    )
