"""Declarators: what is derived from a type before it is a variable's, a member's or an alias's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from sys import intern
from typing import Literal

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.record import Record
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span

Kind = Literal["array", "pointer", "reference", "function", "member pointer", "method pointer"]
_TOKEN = regex(rb"[A-Za-z_]\w*|::|&&|\.\.\.|->|\S")
_BLANK = regex(rb"\s*")
_WORD = regex(rb"[A-Za-z_]\w*\Z")
_QUALIFIERS = frozenset((b"const", b"volatile", b"__restrict__", b"__restrict", b"restrict", b"mutable"))
_AFTER_PARAMETERS = frozenset((b"const", b"volatile", b"&", b"&&", b"override", b"final", b"noexcept", b"throw"))
_SPECIFIER = regex(rb"(?:alignas|__align__|__attribute__|__attribute|noexcept|throw|requires)\Z")
_PLAIN = regex(
    rb"\s*(?P<marks>(?:[*&]\s*)*)(?P<name>(?!(?:operator|const|volatile|mutable|__restrict__|__restrict|restrict)\b)"
    rb"[A-Za-z_]\w*)(?P<arrays>(?:\s*\[[^\[\]]*\])*)\s*;?\s*\Z"
)
_MARK = regex(rb"\*|&&?")
_BRACKETS = regex(rb"\[([^\[\]]*)\]")
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}", b"<": b">"}
_OPENING = frozenset(_CLOSING)
_MOST_NESTED = 32
_BEHIND_NAME = (b"[", b"(", b"=", b"{", b",", b";")


class Derivation(Record, frozen=True):
    """One step from a type to another. `extent`: of an array, what stands in its brackets."""

    kind: Kind
    extent: Span | None = None


class Declarator(Record, frozen=True):
    """`derivations`: from the name outward, so that `float *a[4]` is an array of pointers.

    `name` None: there is none, as in a type-id or of a bit-field. `width`, `initial`: of a bit-field, and of what is
    given a value, where these stand.
    """

    span: Span
    name: Span | None
    derivations: tuple[Derivation, ...]
    width: Span | None = None
    initial: Span | None = None

    @property
    def extents(self) -> tuple[Derivation, ...]:
        """The arrays that it is of, from the outermost in."""
        found = self.derivations
        first = next((at for at, it in enumerate(found) if it.kind != "array"), len(found))
        return found[:first]

    @property
    def element(self) -> tuple[Derivation, ...]:
        """What the elements of these arrays are derived by."""
        return self.derivations[len(self.extents) :]

    @property
    def is_function(self) -> bool:
        return any(it.kind == "function" for it in self.element[:1])


class Unreadable(Exception):
    """What stands there is no declarator."""


def parse_declarators(code: bytes, start: int, end: int) -> Sequence[Declarator] | None:
    """Those of one declaration, behind its type; None: they cannot be read."""
    if plain := _PLAIN.match(code, start, end):
        arrays = _BRACKETS.finditer(code, *plain.span("arrays")) if plain["arrays"] else ()
        marks = reversed(_MARK.findall(plain["marks"])) if plain["marks"] else ()
        found = (
            *(Derivation("array", Span(*it.span(1))) for it in arrays),
            *(Derivation("pointer" if it == b"*" else "reference") for it in marks),
        )
        return (Declarator(Span(plain.start("marks"), plain.end()), Span(*plain.span("name")), found),)
    try:
        return tuple(_Reader(code, start, end).each())
    except Unreadable:
        return None


def spell_type_id(code: bytes, text: str, derivations: Sequence[Derivation]) -> str:
    """A type with what is derived from it, as a type-id; "" of functions and pointers to members."""
    marks = ""
    for it in derivations:
        if it.kind == "array" and it.extent is not None:
            extent = code[it.extent.start : it.extent.end].decode("utf-8", "replace").strip()
            marks = (f"({marks})" if marks.startswith(("*", "&")) else marks) + f"[{extent}]"
        elif it.kind in ("pointer", "reference"):
            marks = ("*" if it.kind == "pointer" else "&") + marks
        else:
            return ""
    return intern(text + marks)


def split_type_id(text: str) -> tuple[str, Declarator] | None:
    """The type before the declarator of a type-id, `float (*)[8]`, and the declarator; None: there is none, or it
    cannot be read. Its spans count in the text as bytes."""
    return _split_type_id(text)


@remembered(512)
def _split_type_id(text: str) -> tuple[str, Declarator] | None:
    code = text.encode()
    start = _declarator_start(code)
    found = parse_declarators(code, start, len(code)) if start < len(code) else None
    if found is None or len(found) != 1 or found[0].name or found[0].width or found[0].initial:
        return None
    return code[:start].decode().strip(), found[0]


def _declarator_start(code: bytes) -> int:
    """Where the declarator of a type-id may start: past the names, and what stands in angles."""
    nesting = at = 0
    for match in _TOKEN.finditer(code):
        token = match[0]
        if token == b"decltype" or (nesting and token == b"("):
            return len(code)
        if not nesting and token in (b"*", b"&", b"&&", b"(", b"["):
            return _member_pointer_start(code, at, match.start())
        nesting += {b"<": 1, b">": -1}.get(token, 0)
        at = match.end() if token not in _QUALIFIERS else at
    return len(code)


_CLASS = regex(rb"[\w:<>, ]+?\s(?=[A-Za-z_][\w:<>, ]*::\s*\Z)")


def _member_pointer_start(code: bytes, end: int, star: int) -> int:
    """Before the class of `int A::*`; else before the star."""
    if not code[:end].rstrip().endswith(b"::"):
        return star
    match = _CLASS.match(code, 0, end)
    return match.end() if match is not None else star


_SPECIFIERS = regex(
    rb"(?:\s*\b(?:const|volatile|typename|struct|class|union|enum|static|extern|constexpr|register)\b)*"
    rb"(?P<type>(?:\s*\b(?:unsigned|signed|long|short|int|char|double)\b)+|\s*(?:::\s*)?[A-Za-z_]\w*"
    rb"(?:\s*<[^;<>]*(?:<[^;<>]*>[^;<>]*)*>)?(?:\s*::\s*[A-Za-z_]\w*(?:\s*<[^;<>]*>)?)*)"
)


def type_specifier_span(code: bytes, start: int) -> Span | None:
    """The type that a declaration starts with, other than one defined there; None: none does."""
    match = _SPECIFIERS.match(code, start)
    return Span(*match.span("type")) if match is not None else None


class _Reader:
    def __init__(self, code: bytes, start: int, end: int) -> None:
        self.code = code
        self.end = end
        self.nested = 0
        self.advance_to(start)

    def advance_to(self, at: int) -> None:
        """To the token behind the blanks that stand there."""
        self.at = _skip_blanks(self.code, at, self.end)
        token = _TOKEN.match(self.code, self.at, self.end)
        self.token = token[0] if token is not None else b""

    def peek_token(self) -> bytes:
        return self.token

    def take_token(self) -> Span:
        """The token that stands here, past which it goes."""
        start, token = self.at, self.peek_token()
        if not token:
            raise Unreadable
        self.advance_to(start + len(token))
        return Span(start, start + len(token))

    def each(self) -> Iterator[Declarator]:
        while self.peek_token() not in (b"", b";"):
            yield self.read_init_declarator()
            if self.peek_token() not in (b",", b";", b""):
                raise Unreadable
            if self.peek_token() == b",":
                self.take_token()

    def read_init_declarator(self) -> Declarator:
        self.qualifiers()
        start = self.at
        name, derivations = self.declarator()
        end, width, initial = self.at, None, None
        if self.peek_token() == b":":
            self.take_token()
            width = self.until(b"=", b"{", b",", b";")
            end = self.at
        if self.peek_token() in (b"=", b"{", b"("):
            begin = self.take_token().end if self.peek_token() == b"=" else self.at
            initial = Span(begin, self.until(b",", b";").end)
        return Declarator(Span(start, end), name, tuple(derivations), width, initial)

    def until(self, *stops: bytes) -> Span:
        """Up to one of these outside of brackets."""
        start = last = self.at
        while (token := self.peek_token()) and token not in stops:
            if token in _OPENING and (token != b"<" or self.is_template()):
                last = self.bracketed().end + 1
            else:
                last = self.take_token().end
        return Span(start, last)

    def is_template(self) -> bool:
        """Whether the `<` here opens template arguments: it is closed before the declarator ends."""
        return _end_of_brackets(self.code, self.at, self.end) is not None

    def bracketed(self) -> Span:
        """What stands between the bracket here and the one that closes it, past which it goes."""
        start = self.at
        end = _end_of_brackets(self.code, start, self.end)
        if end is None:
            raise Unreadable
        self.advance_to(end)
        return Span(start + 1, end - 1)

    def declarator(self) -> tuple[Span | None, list[Derivation]]:
        self.nested += 1
        if self.nested > _MOST_NESTED:
            raise Unreadable
        before: list[Derivation] = []
        while (found := self.pointer()) is not None:
            before.append(found)
        name, inner = self.read_direct_declarator()
        self.nested -= 1
        return name, [*inner, *reversed(before)]

    def pointer(self) -> Derivation | None:
        """`*`, `&` or `A::*` with what qualifies it; None: none stands here."""
        self.attributes()
        token = self.peek_token()
        if token in (b"*", b"&", b"&&"):
            self.take_token()
            self.qualifiers()
            return Derivation("pointer" if token == b"*" else "reference")
        start = self.at
        while _WORD.match(self.peek_token()) or self.peek_token() == b"::":
            self.take_token()
            if self.peek_token() == b"<":
                if not self.is_template():
                    break
                self.bracketed()
            if self.peek_token() == b"*" and self.code[start : self.at].rstrip().endswith(b"::"):
                self.take_token()
                self.qualifiers()
                return Derivation("member pointer")
        self.advance_to(start)
        return None

    def qualifiers(self) -> None:
        while self.peek_token() in _QUALIFIERS:
            self.take_token()

    def attributes(self) -> None:
        while True:
            token = self.peek_token()
            if token == b"[" and self.code[self.at : self.at + 2] == b"[[":
                self.bracketed()
            elif _SPECIFIER.match(token):
                self.take_token()
                if self.peek_token() == b"(":
                    self.bracketed()
            else:
                return

    def read_direct_declarator(self) -> tuple[Span | None, list[Derivation]]:
        name: Span | None = None
        inner: list[Derivation] = []
        if self.peek_token() == b"(" and self.opens_nested_declarator():
            self.take_token()
            name, inner = self.declarator()
            if self.peek_token() != b")":
                raise Unreadable
            self.take_token()
        elif self.peek_token() == b"operator":
            name = self.operator()
        elif self.peek_token() == b"..." or _WORD.match(self.peek_token()):
            if self.peek_token() == b"...":
                self.take_token()
            name = self.take_token() if _WORD.match(self.peek_token()) else None
        found = [*self.suffixes()]
        if found and found[0].kind == "function" and [it.kind for it in inner[-1:]] == ["member pointer"]:
            inner[-1] = Derivation("method pointer")
        return name, [*inner, *found]

    def operator(self) -> Span:
        """The name of an operator, before its parameters."""
        start = self.take_token().start
        if self.peek_token() == b"(":
            self.bracketed()
        while self.peek_token() not in (b"(", b";", b""):
            self.take_token()
        return Span(start, self.at)

    def opens_nested_declarator(self) -> bool:
        """Whether the parenthesis here holds a declarator, rather than parameters."""
        inside = _Reader(self.code, self.at + 1, self.end)
        inside.attributes()
        token = inside.peek_token()
        if token in (b"*", b"&", b"&&", b"("):
            return True
        try:
            if inside.pointer() is not None:
                return True
        except Unreadable:
            return False
        if not _WORD.match(token):
            return False
        inside.take_token()
        ends = (*_BEHIND_NAME, b")") if self.nested > 1 else _BEHIND_NAME
        return inside.peek_token() in (b")", b"[", b"(") and _is_bracket_group_followed_by(
            self.code, self.at, self.end, ends
        )

    def suffixes(self) -> Iterator[Derivation]:
        while True:
            self.attributes()
            token = self.peek_token()
            if token == b"[":
                inside = self.bracketed()
                yield Derivation("array", inside)
            elif token == b"(" and self.opens_parameter_list():
                self.bracketed()
                self.skip_function_suffix()
                yield Derivation("function")
            else:
                return

    def opens_parameter_list(self) -> bool:
        """Whether the parenthesis here holds parameters' types rather than the value of a variable."""
        inside = _Reader(self.code, self.at + 1, self.end)
        token = inside.peek_token()
        return token in (b")", b"...") or bool(_WORD.match(token)) or token == b"::"

    def skip_function_suffix(self) -> None:
        while True:
            self.attributes()
            token = self.peek_token()
            if token in _AFTER_PARAMETERS:
                self.take_token()
            elif token == b"->":
                self.until(b",", b";", b"=", b"{", b")")
            else:
                return


def _is_bracket_group_followed_by(code: bytes, at: int, end: int, ends: Sequence[bytes]) -> bool:
    """Whether a suffix or the declarator's end follows the parenthesis here: `(a)[8]`, not `(a)` of a type."""
    closed = _end_of_brackets(code, at, end)
    after = _TOKEN.match(code, _skip_blanks(code, closed, end), end) if closed is not None else None
    return closed is not None and (after is None or after[0] in ends)


def _skip_blanks(code: bytes, start: int, end: int) -> int:
    match = _BLANK.match(code, start, end)
    return match.end() if match is not None else start


def _end_of_brackets(code: bytes, at: int, end: int) -> int | None:
    """Past the bracket that closes the one here; None: none does."""
    opened = code[at : at + 1]
    closing, nesting = _CLOSING[opened], 0
    for match in re.finditer(rb"[()\[\]{}]" if opened != b"<" else rb"[()<>;]", code[at:end]):
        if match[0] == b";":
            return None
        nesting += (match[0] == opened) - (match[0] == closing)
        if not nesting:
            return at + match.end()
    return None
