"""The macros that OpenCL hosts may define for the programs they build: names in the strings that options are made of.

`"-DN=%d -D FAST"` and `"#define N "` name theirs; `"-D" + name` and `"-DN_%d"` may define any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.core.regex import regex

ANY = ""  # stands for a name that is put together when the host runs
# The letters come first, which `re` finds quickly; what is before them is asked behind.
_OPTION = regex(rb"-D[ \t]*(\w*)")
_DEFINE = regex(rb"define(?!\w)[ \t]*(\w*)")
_STARTS = regex(rb"(?:\A|[^\w)\]]|\\[nrt]|%s)\Z")  # a word, after an escape or a conversion, too
_RAW = regex(rb'R"\w{0,16}\(')
# What makes a name longer when the host runs: a conversion, or after the string something other than its end.
_GOES_ON = regex(rb"""[%{$]|"(?!\s*(?:\Z|[,;:)}\]]|(?:\+|<<)?\s*"[ =\\]))""")
_COMPILE = (b"cpp_extension", b"cupy", b"pycuda", b"cuda.core", b"nvrtc", b"hiprtc")
_MADE = (b'"', b"%", b"{", b"$")
_SPACE = 64  # bytes between a line's start and its word
_LINE = 2000  # bytes of a line that are looked at
_MOST = 10_000  # names of one file, and places that are looked at


def builds_programs(content: bytes) -> bool:
    return b"clBuildProgram" in content or b"clCompileProgram" in content


def builds_in_python(content: bytes) -> bool:
    """Return whether a file in Python may build programs with PyOpenCL."""
    return b"pyopencl" in content


def compiles_in_python(content: bytes) -> bool:
    """Return whether a file in Python may have CUDA or HIP compiled with options of its own."""
    return any(it in content for it in _COMPILE)


def macros_in_python(content: bytes) -> tuple[str, ...]:
    """Return those of a host in Python, in strings of either quotes; sorted, ANY if one is not known."""
    return host_macros(content.replace(b"'", b'"'), program=False)


def host_macros(content: bytes, program: bool) -> tuple[str, ...]:
    """Of one file; `program`: it is OpenCL C, which a host may put before another. Sorted; ANY if one is not known."""
    found: set[str] = set()
    lines = program or _RAW.search(content) is not None  # one may stand in a text
    for count, match in enumerate(_in_words(content, lines, found)):
        if count == _MOST:
            return (ANY,)
        if _in_string(content, match.start()):
            found.update(_name(content, match))
    return tuple(sorted(found)) if len(found) <= _MOST else (ANY,)


def _in_words(content: bytes, lines: bool, found: set[str]) -> Iterator[re.Match[bytes]]:
    """Options and definitions that may be in strings; the names of the others go to `found` if `lines`."""
    for match in _OPTION.finditer(content):
        if _STARTS.search(content[max(0, match.start() - 2) : match.start()]):
            yield match
    for match in _DEFINE.finditer(content):
        before = content[max(0, match.start() - _SPACE) : match.start()].rstrip(b" \t")
        if not before.endswith(b"#"):
            continue
        if not _is_line(before[:-1].rstrip(b" \t")):
            yield match
        elif lines and match[1]:
            found.add(match[1].decode())


def _name(content: bytes, match: re.Match[bytes]) -> tuple[str, ...]:
    """Of what stands in a string."""
    name = match[1].decode()
    if name and not _GOES_ON.match(content, match.end()):
        return (name,)
    # Those that start with a line are the compiler's, which may be defined in any case.
    made = content[match.end() : match.end() + 1] in _MADE and not name.startswith("_")
    return (ANY,) if made else ()


def _is_line(before: bytes) -> bool:
    """Whether what follows starts a line, and the line before does not go on in it."""
    return not before or (before[-1:] in b"\r\n" and not before.rstrip(b"\r\n").endswith(b"\\"))


def _in_string(content: bytes, at: int) -> bool:
    """As far as the line tells, or one that it continues."""
    start = content.rfind(b"\n", max(0, at - _LINE), at) + 1
    before = content[start:at]
    continued = content[max(0, start - 3) : start].rstrip(b"\r\n").endswith(b"\\") and not before.strip(b" \t#")
    return continued or (before.count(b'"') - before.count(b'\\"')) % 2 == 1
