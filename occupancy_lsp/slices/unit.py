"""What is kept of a program, written as files that compile in one folder.

Every line keeps its number, so that what a compiler says of a place is said of the same line of the original.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence, Set

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.slices.foreign import included_by
from occupancy_lsp.slices.parts import Part
from occupancy_lsp.slices.program import File, Key, Program

_PATH = regex(
    rb'^([ \t]*#[ \t]*(?:include[ \t]*|.*__has_include[ \t]*\([ \t]*))(?:"([^"\r\n]+)"|<([^>\r\n]+)>)', re.MULTILINE
)
_CALLING = regex(rb"^[ \t]*#[ \t]*(?:if|elif)\b.*?\b[A-Za-z_]\w*[ \t]*\(.*$", re.MULTILINE)
_CALL = regex(rb"(?<!#)\b(?!defined\b|if\b|elif\b|__has_)([A-Za-z_]\w*)[ \t]*\((?:[^()\n]|\([^()\n]*\))*\)")
_ERROR = regex(rb"^([ \t]*#)[ \t]*error\b.*$", re.MULTILINE)
_SUFFIX = regex(r"\.[a-z]{1,5}\Z")
MAIN = "unit"


@dataclass(frozen=True, slots=True)
class Unit:
    """`files`: each by its name in the folder, with the path of the original and what is written of it."""

    main: str
    files: Mapping[str, tuple[str, bytes]]


def names_of(program: Program) -> Mapping[str, str]:
    """How the files of a program are called in the folder, by their paths."""
    return {path: f"part{number}{_suffix(path)}" for number, path in enumerate(program.files)}


def _stand_in(header: str) -> str:
    """For a header that is missing: what it includes of the toolkit."""
    return f"missing_{header.replace('/', '_')}"


def _if_there(header: str) -> str:
    """The toolkit may be too old for it, or another one."""
    return f"#if __has_include(<{header}>)\n#include <{header}>\n#endif\n"


def _suffix(path: str) -> str:
    found = _SUFFIX.search(os.path.basename(path))
    return found[0] if found else ".h"


def written(
    program: Program,
    kept: Set[Key],
    instead: Mapping[Key, bytes],
    missing: Set[tuple[str, bool]],
    before: Sequence[str] = (),
    after: Sequence[str] = (),
    asking: bool = False,
    hosts: Set[Key] = frozenset(),
    absent: Callable[[str], bool] = lambda name: False,
) -> Unit:
    """`instead`: what stands for parts that are left out though something names them. `missing`: #includes that are
    left out, by their texts and whether quoted, and with them #errors, for their macros may be what these lack;
    `asking`: an #error stands for each, beside those of the text. `before`, `after`: lines around it all, which stand
    in a file of no original. `hosts`: parts that are written with what only a host runs. `absent`: whether a macro is
    of a header that is missing: a condition that calls it has 0 in its place, as one that only names it has."""
    names = names_of(program)
    found: dict[str, tuple[str, bytes]] = {}
    for path, file in program.files.items():
        text = _text(program, file, kept, instead, hosts)
        text = _ERROR.sub(rb"\1", text) if missing and not asking else text
        text = _without_calls(text, absent) if missing else text
        found[names[path]] = (path, _with_paths(text, file, missing, names, asking))
    for header, _ in () if asking else sorted(missing):
        if brought := included_by(header):
            found[_stand_in(header)] = ("", "".join(map(_if_there, brought)).encode())
    around = (*before, f'#include "{names[program.main]}"', *after, "")
    main = f"{MAIN}{_suffix(program.main)}"
    return Unit(main, {main: ("", "\n".join(around).encode("utf-8", "surrogateescape")), **found})


def _text(program: Program, file: File, kept: Set[Key], instead: Mapping[Key, bytes], hosts: Set[Key]) -> bytes:
    written: list[bytes] = []
    for index, part in enumerate(file.parts):
        key = file.path, index
        if key in instead:
            written.append(in_place_of(part, instead[key]))
        elif part.always or key in hosts:
            written.append(part.text)
        elif key in kept:
            written.append(program.on_device(key)[0].text)
        else:
            written.append(part.lines)
    return b"".join(written)


def _without_calls(text: bytes, absent: Callable[[str], bool]) -> bytes:
    def call(match: re.Match[bytes]) -> bytes:
        return b"0" if absent(match[1].decode()) else match[0]

    return _CALLING.sub(lambda line: _CALL.sub(call, line[0]), text)


def in_place_of(part: Part, text: bytes) -> bytes:
    """In the first of its lines that is none of the preprocessor's."""
    lines = part.lines.split(b"\n")
    first = part.text[: len(part.text) - len(part.text.lstrip())].count(b"\n")
    free = (at for at in range(first, len(lines)) if not lines[at].strip() and not lines[at - 1].endswith(b"\\"))
    if (at := next(free, None)) is not None:
        lines[at] = text
    return b"\n".join(lines)


def _with_paths(
    text: bytes, file: File, missing: Set[tuple[str, bool]], names: Mapping[str, str], asking: bool
) -> bytes:
    def path(match: re.Match[bytes]) -> bytes:
        quoted = match[2] is not None
        said = (match[2] if quoted else match[3]).decode("utf-8", "surrogateescape"), quoted
        meant = file.meant.get(said)
        if meant is not None:
            return match[1] + b'"' + names[meant].encode() + b'"'
        if said not in missing or b"__has_include" in match[1]:
            return match[0]
        if asking:
            return b"#error missing //"
        return match[1] + b'"' + _stand_in(said[0]).encode() + b'"' if included_by(said[0]) else b""

    return _PATH.sub(path, text)


def asking_for(program: Program, headers: Sequence[tuple[str, bool]]) -> Unit:
    """With an #error for each header that is missing, in the line before three times its number, counted from 1."""
    forms = (f'"{text}"' if quoted else f"<{text}>" for text, quoted in headers)
    lines = (f"#if !__has_include({form})\n#endif_\n#endif\n" for form in forms)
    text = "".join(lines).replace("#endif_", "#error missing") + "#error end\n"
    main = f"{MAIN}{_suffix(program.main)}"
    return Unit(main, {main: ("", text.encode("utf-8", "surrogateescape"))})
