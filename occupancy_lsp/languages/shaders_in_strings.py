"""Compute shaders that files in other languages hold as string literals of several lines: WGSL, GLSL and HLSL in
TypeScript, JavaScript, Rust and C#.

A `${NAME}` of which the file says `const NAME = 64` is that number. Where another stands among declarations or
statements, or the literal is added to other strings, more may be declared than is seen: the text then begins with an
#include of what is not there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.held import Piece, Program
from occupancy_lsp.source.lex.span import Span

_MOST = 512  # shaders of a file
_DEEPEST = 8  # holes in holes
# What each compute shader of a language has.
_MARKS = {
    "wgsl": regex(rb"@\s*workgroup_size\b"),
    "glsl": regex(rb"\blocal_size_[xyz]\b(?=[^;]*\bin\s*;)"),
    "hlsl": regex(rb"\[\s*[nN]um[tT]hreads\s*\("),
}
# A file with none of these words holds none.
WORDS = ("workgroup_size", "local_size_", "numthreads", "numThreads", "Numthreads", "NumThreads")
_ANY_WORD = regex("|".join(WORDS).encode())
_COMMENTS = rb"(?P<other>//[^\n]*|/\*.*?(?:\*/|\Z)"


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a language writes strings. `tokens`: comments and strings of one line, which are `other`, and what a string
    of several lines begins with, which is `opening`. `closing`: what ends one, by what it began with. `holes`: an
    expression may stand in one, as `${…}`. `escapes`: a backslash hides what follows."""

    suffixes: tuple[str, ...]
    editors: tuple[str, ...]
    tokens: re.Pattern[bytes]
    closing: Mapping[bytes, bytes]
    holes: bool = False
    escapes: bool = False

    def closing_of(self, opening: bytes) -> bytes:
        """Of Rust's `r##"`, and of C#'s `\"\"\"\"`, as many signs as it began with."""
        return self.closing.get(opening) or b'"' + opening.lstrip(b"br").rstrip(b'"')


_JAVASCRIPT = Syntax(
    (".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs"),
    ("typescript", "typescriptreact", "javascript", "javascriptreact"),
    # A regular expression stands where no value ends before it.
    regex(
        _COMMENTS + rb"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
        rb"""|(?<=[(,=:\[!&|?;])\s*/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/)|(?P<opening>`)""",
        re.DOTALL,
    ),
    {b"`": b"`"},
    holes=True,
    escapes=True,
)
_RUST = Syntax(
    (".rs",),
    ("rust",),
    # A string that is not raw, but has several lines and no escapes, is as good.
    regex(
        _COMMENTS + rb"""|'(?:[^'\\\n]|\\[^\n]{1,10}?)'|b?"(?![^"\\]*\n[^"\\]*")(?:[^"\\]|\\.)*")"""
        rb"""|(?P<opening>(?<!\w)b?r#*"|")""",
        re.DOTALL,
    ),
    {},
)
_CSHARP = Syntax(
    (".cs",),
    ("csharp",),
    regex(
        _COMMENTS + rb"""|'(?:[^'\\\n]|\\[^\n]{1,10}?)'|(?<![@"])"(?!"")(?:[^"\\\n]|\\.)*")|(?P<opening>@"|\"\"\")""",
        re.DOTALL,
    ),
    {b'@"': b'"', b'"""': b'"""'},
)
_SYNTAXES = (_JAVASCRIPT, _RUST, _CSHARP)
SUFFIXES = tuple(suffix for it in _SYNTAXES for suffix in it.suffixes)
EDITORS = tuple(name for it in _SYNTAXES for name in it.editors)

_NAME = regex(rb"\s*([A-Za-z_$][\w$]*)\s*")
_NUMBER = regex(rb"0[xX][0-9A-Fa-f]+|[1-9][0-9_]*|0")
_CONSTANT = regex(
    rb"(?<![\w$.])(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::\s*number\s*)?=\s*(\d\w*)\s*(?:as\s+const\s*)?"
    rb"(?=;|\Z|(?<=\n)(?!(?:in|instanceof|as|satisfies)\b)[\w$}])"  # a line that begins with an operator goes on
)
# What declares a name, or gives it another value.
_GIVEN = regex(
    rb"(?<![\w$.])(?:(?:const|let|var)\s+|\+\+\s*|--\s*)?([A-Za-z_$][\w$]*)"
    rb"\s*(?::\s*number\s*)?(?:(?:[-+*/%&|^]|<<|>>|\*\*)?=(?!=)|\+\+|--)"
    rb"|(?<![\w$.])(?:(?:const|let|var)\s+|\+\+\s*|--\s*)([A-Za-z_$][\w$]*)"
)
# A name among the parameters of a function, or one that is unpacked, means another value there.
_PARAMETER = regex(rb"(?:[(,]|(?<!\$)\{)\s*([A-Za-z_$][\w$]*)\s*(?=[:?,=)}])(?!==)")
_FORMATTED = regex(rb"\{\{|\{[A-Za-z_]\w*(?::[^{};\n]*)?\}")  # a text with holes of Rust's `format!` or C#'s `$"`
_OF_WORD = regex(rb"\W")
_UNSEEN = b'#include "what stands in a hole or is added"\n'
_IN_EXPRESSION = b"(,<[=+-*%&|^:?"  # before what is a value
_JOINED = regex(rb"\s*\+")


def syntax_of(name: str, editors: str) -> Syntax | None:
    """How a file writes strings that may hold shaders, by its name and what the editor calls it; None: it has none."""
    return next((it for it in _SYNTAXES if name.endswith(it.suffixes) or editors in it.editors), None)


class ShadersInStrings:
    """The shaders of a file."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax

    def of(self, content: bytes) -> tuple[Program, ...]:
        if _ANY_WORD.search(content) is None:
            return ()
        found: list[Program] = []
        constants = _constants_of(content) if self._syntax.holes else {}
        for span in _literals(content, self._syntax, 0, len(content)):
            program = _shader(content, span, self._syntax, constants)
            if program is not None and len(found) < _MOST:
                found.append(program)
        return tuple(found)


def _literals(content: bytes, syntax: Syntax, start: int, end: int) -> Iterator[Span]:
    """What stands between the quotes of each string of several lines."""
    at = start
    while (token := syntax.tokens.search(content, at, end)) is not None:
        at = token.end()
        if (opening := token["opening"]) is not None:
            close = _closing(content, syntax, at, syntax.closing_of(opening))
            if close is None:
                return
            yield Span(at, close)
            at = close + len(syntax.closing_of(opening))


def _closing(content: bytes, syntax: Syntax, at: int, closing: bytes, depth: int = 0) -> int | None:
    """Where what ends the string stands; None: nowhere, or too deep."""
    stops = [re.escape(closing), *([rb"\\."] if syntax.escapes else ()), *([rb"\$\{"] if syntax.holes else ())]
    stop = re.compile(b"|".join(stops), re.DOTALL)
    while (found := stop.search(content, at)) is not None:
        if found[0] == closing:
            return found.start()
        at = found.end()
        if found[0] == b"${":
            after = _hole_end(content, syntax, at, depth + 1)
            if after is None:
                return None
            at = after
    return None


def _hole_end(content: bytes, syntax: Syntax, at: int, depth: int) -> int | None:
    """Behind the brace that closes a hole, whose expression starts there."""
    open_braces = 1
    while depth < _DEEPEST and at < len(content):
        sign = content[at : at + 1]
        token = syntax.tokens.match(content, at) if sign in b"\"'`/" else None
        if token is not None and token["opening"] is not None:
            close = _closing(content, syntax, token.end(), syntax.closing_of(token["opening"]), depth)
            if close is None:
                return None
            at = close + 1
            continue
        open_braces += {b"{": 1, b"}": -1}.get(sign, 0)
        at = max(token.end() if token is not None else 0, at + 1)
        if not open_braces:
            return at
    return None


def _shader(content: bytes, span: Span, syntax: Syntax, constants: Mapping[bytes, bytes]) -> Program | None:
    text = content[span.start : span.end]
    language = next((name for name, mark in _MARKS.items() if mark.search(text)), None)
    if language is None:
        return None
    shown, more = text, _FORMATTED.search(text) is not None
    if syntax.holes:
        shown, more = _without_holes(content, span, syntax, constants)
    if syntax.escapes:
        shown = shown.replace(b"\\`", b" `").replace(b"\\$", b" $")
    added = _last_sign(content, span.start - 1) == b"+" or _JOINED.match(content, span.end + 1) is not None
    refused = ("`", "${", "\\") if syntax.holes else ('"',)
    return Program(language, (Piece(span, shown, refused),), _UNSEEN if more or added else b"")


def _without_holes(content: bytes, span: Span, syntax: Syntax, constants: Mapping[bytes, bytes]) -> tuple[bytes, bool]:
    """The literal with the same width, and whether declarations or statements may stand in a hole."""
    shown, at, more = bytearray(), span.start, False
    while (start := content.find(b"${", at, span.end)) >= 0:
        end = _hole_end(content, syntax, start + 2, 0) or span.end
        shown += content[at:start]
        inside, width = content[start + 2 : end - 1], end - start
        named = _NAME.fullmatch(inside)
        number = _number(constants.get(named[1], b"") if named is not None else inside.strip())
        if number is not None and len(number) <= width:
            shown += number.rjust(width)
        elif _is_value(shown):
            shown += b"_" + _OF_WORD.sub(b"_", inside).rjust(width - 2, b"_") + b"_"
        else:
            more = True
            shown += bytes(it if it in b"\r\n" else 32 for it in content[start:end])
        at = end
    return bytes(shown) + content[at : span.end], more


def _number(text: bytes) -> bytes | None:
    """A whole number of JavaScript's as WGSL and C have it."""
    return str(int(text.replace(b"_", b""), 0)).encode() if _NUMBER.fullmatch(text) else None


def _constants_of(content: bytes) -> Mapping[bytes, bytes]:
    """The numbers that names of the file are, once and for all."""
    said = Counter(it[1] for it in _CONSTANT.finditer(content))
    given = Counter(it[1] or it[2] for it in _GIVEN.finditer(content))
    others = {it[1] for it in _PARAMETER.finditer(content)}
    each = ((it[1], it[2]) for it in _CONSTANT.finditer(content))
    return {name: number for name, number in each if said[name] == given[name] == 1 and name not in others}


def _is_value(before: bytearray) -> bool:
    """Whether what follows is a part of an expression, a name or a type."""
    line = before[before.rfind(b"\n") + 1 :]
    last = _last_sign(before, len(before))
    return last in _IN_EXPRESSION and bool(last) if not line.strip() else last not in b";{}"


def _last_sign(text: bytes | bytearray, end: int) -> bytes:
    """The last that is no white space before `end`; b"": there is none."""
    while end and text[end - 1 : end].isspace():
        end -= 1
    return bytes(text[max(end - 1, 0) : end])
