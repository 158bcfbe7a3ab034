"""What the text of a macro is, were it to stand alone where a statement does: whole statements, the head of one, …"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.non_code_patterns import is_first_in_line, without_comments_and_strings

# Whole statements; one that ends with an `if` to which an `else` may belong; nothing, or what belongs to the next
# statement, as a pragma; nothing here and statements there; what governs the next statement, as `if (on)`; a part of
# statements, as `} else {`; no statement, as a type; either, depending on conditions or on what it is given.
WHOLE, OPEN_IF, EMPTY, OPTIONAL, HEAD, TORN, OTHER, ANY = (
    "whole", "open-if", "empty", "optional", "head", "torn", "other", "any",
)  # fmt: skip
STATEMENT = "#"  # what a line of such a kind begins with
_ALIAS = "~"  # before the name of the macro that the text stands for, or ends with
_PERHAPS_ALIAS = "~?"  # of what is no statement unless it is a macro

_DEFINE = regex(
    rb"#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^()]*\))?"
    rb"(?P<body>(?:[^\\\r\n]+|\\(?:\r\n|.|\Z))*)",
    re.DOTALL,
)
_TOKEN = regex(r"""[A-Za-z_]\w*|::|\d[\w.']*|""|[^\s\w]""")
_CONTINUED = regex(rb"\\\r?\n")
_VALUE = regex(rb"-?\d[\w.]*|\"[^\"\\]*\"")
_MAY_HIDE = regex(rb"[\"'/]")
# By its name, so that a header need not be looked into: no statement stands alone by one.
_GUARD = regex(rb".*_(?:H|HH|HPP|HXX|CUH|INC|INL|INCLUDED)_*\Z")
_TRANSPARENT = frozenset(("_Pragma", "__pragma", "__attribute__", "__attribute", "__declspec"))
_GOVERNING = frozenset(("for", "while", "switch"))
_TYPES = "auto bool char double float int long short signed unsigned void class enum struct union typename"
_SPECIFIERS = "const constexpr extern inline static template typedef using volatile"
_TYPED = frozenset((*_TYPES.split(), *_SPECIFIERS.split()))
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_MOST_TOKENS, _DEEPEST = 5000, 8


def macro_kind_lines(content: bytes) -> Iterator[str]:
    """Return a line for each kind that a macro of the file is of: the sign of such lines and its name, with a
    parenthesis if it has parameters, and the kind."""
    for match in _DEFINE.finditer(content):
        name, given, body = match.group("name", "parameters", "body")
        is_guard = given is None and not body.strip() and _GUARD.match(name)
        if is_guard or not is_first_in_line(content, match.start()):
            continue
        for kind in _kinds_of_body(given or b"", body):
            yield f"{STATEMENT}{name.decode()}{'(' if given is not None else ''} {kind}"


def kind_of_each_macro(lines: Iterable[str]) -> Mapping[bytes, str]:
    """Return the kind of each macro, by its name as in the lines: what all of its definitions say together."""
    said: dict[str, set[str]] = {}
    for line in lines:
        name, _, kind = line.removeprefix(STATEMENT).partition(" ")
        said.setdefault(name, set()).add(kind)
    found: dict[bytes, str] = {}
    for name in said:
        kinds = _resolved_kinds(name, said, 0)
        if kinds is not None:
            found[name.encode()] = _combined_kind(kinds)
    return found


def _resolved_kinds(name: str, said: Mapping[str, set[str]], depth: int) -> set[str] | None:
    """Return the kinds of a macro with those of the macros that it stands for; None: one is not in sight."""
    kinds: set[str] = set()
    for kind in said.get(name, ()):
        if not kind.startswith(_ALIAS):
            kinds.add(kind)
            continue
        perhaps = kind.startswith(_PERHAPS_ALIAS)
        name = kind.removeprefix(_PERHAPS_ALIAS if perhaps else _ALIAS)
        meant = _resolved_kinds(name, said, depth + 1) if depth < _DEEPEST else None
        if meant is None and perhaps:
            meant = {OTHER}
        if meant is None:
            return None
        kinds |= meant
    return kinds or None


def _combined_kind(kinds: set[str]) -> str:
    if TORN in kinds:
        return TORN
    kinds = kinds - {OTHER} or kinds  # where it is no statement, what lacks a semicolon behind it does not compile
    if len(kinds) == 1:
        return next(iter(kinds))
    if kinds <= {WHOLE, OPEN_IF}:
        return OPEN_IF
    return OPTIONAL if kinds == {WHOLE, EMPTY} else ANY


@remembered(16384)  # by their texts: at the next key most are the same
def _kinds_of_body(parameters: bytes, body: bytes) -> tuple[str, ...]:
    """Return the kind of a macro's text; empty where none matters, as of a number."""
    if _VALUE.fullmatch(body.strip()):
        return ()
    code = _CONTINUED.sub(b" ", body) if b"\\" in body else body
    text = (without_comments_and_strings(code) if _MAY_HIDE.search(code) else code).decode("utf-8", "replace")
    tokens = [*_TOKEN.findall(text)]
    if len(tokens) > _MOST_TOKENS:
        return (TORN,)
    given = {it.strip().removesuffix("...") for it in parameters.decode("utf-8", "replace")[1:-1].split(",")}
    return _Reader(tokens, frozenset(given | {"__VA_ARGS__"})).kinds()


class _Unbalanced(Exception):
    """A bracket has no partner in the text."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """Where one ends, and what it is that ends there: a kind, or "" of what lacks its semicolon."""

    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads a macro's text statement by statement, as far as where each ends."""

    tokens: Sequence[str]
    parameters: frozenset[str]

    def kinds(self) -> tuple[str, ...]:
        try:
            start = self._skip_pragmas_and_attributes(0)
            if start == len(self.tokens):
                return (EMPTY,)
            last, end = self._last_statement(start)
        except (_Unbalanced, RecursionError):
            return (TORN,)
        if end.kind:
            return (end.kind,)
        return self._kinds_without_semicolon(last)

    def _last_statement(self, start: int) -> tuple[int, _Statement]:
        """Return where the last statement starts, and what it is."""
        while True:
            found = self._read_statement(start)
            following = self._skip_pragmas_and_attributes(found.end)
            if following >= len(self.tokens) or found.kind in (HEAD, TORN):
                return start, found
            start = following

    def _token_at(self, index: int) -> str:
        return self.tokens[index] if index < len(self.tokens) else ""

    def _end_of_bracket(self, at: int) -> int:
        """Return the offset behind the bracket that closes the one at `at`."""
        wanted: list[str] = []
        for index in range(at, len(self.tokens)):
            token = self.tokens[index]
            if token in _CLOSERS:
                wanted.append(_CLOSERS[token])
            elif token in ")]}":
                if not wanted or wanted.pop() != token:
                    raise _Unbalanced
                if not wanted:
                    return index + 1
        raise _Unbalanced

    def _skip_pragmas_and_attributes(self, at: int) -> int:
        """Return the offset behind pragmas and attributes."""
        while True:
            if self._token_at(at) in _TRANSPARENT and self._token_at(at + 1) == "(":
                at = self._end_of_bracket(at + 1)
            elif self._token_at(at) == "[" == self._token_at(at + 1):
                at = self._end_of_bracket(at)
            else:
                return at

    def _read_statement(self, at: int) -> _Statement:
        word = self._token_at(at)
        if word == "{":
            return _Statement(self._end_of_bracket(at), WHOLE)
        if word == "if":
            return self._read_if_statement(at)
        if word in _GOVERNING:
            return self._read_governed_statement(self._skip_parentheses(at + 1))
        if word == "else":
            inner = self._read_governed_statement(at + 1)
            return _Statement(inner.end, TORN if inner.kind in (HEAD, "") else inner.kind)
        if word == "do":
            return self._read_do_statement(at)
        if word in ("case", "default", "try", "catch") or (word.isidentifier() and self._token_at(at + 1) == ":"):
            return self._read_try_statement(at) if word == "try" else _Statement(len(self.tokens), TORN)
        return self._read_simple_statement(at)

    def _skip_parentheses(self, at: int) -> int:
        at += self._token_at(at) == "constexpr"
        if self._token_at(at) != "(":
            raise _Unbalanced
        return self._end_of_bracket(at)

    def _read_governed_statement(self, at: int) -> _Statement:
        """Return what stands behind a head; the text may end there."""
        at = self._skip_pragmas_and_attributes(at)
        return self._read_statement(at) if at < len(self.tokens) else _Statement(at, HEAD)

    def _read_if_statement(self, at: int) -> _Statement:
        then = self._read_governed_statement(self._skip_parentheses(at + 1))
        if then.kind in (HEAD, TORN, ""):
            return then
        if self._token_at(then.end) != "else":
            return _Statement(then.end, OPEN_IF)
        return self._read_governed_statement(then.end + 1)

    def _read_do_statement(self, at: int) -> _Statement:
        body = self._read_governed_statement(at + 1)
        if body.kind in (HEAD, TORN, ""):
            return body
        if self._token_at(body.end) != "while":
            return _Statement(body.end, TORN)
        end = self._skip_parentheses(body.end + 1)
        return _Statement(end + 1, WHOLE) if self._token_at(end) == ";" else _Statement(end, OTHER)

    def _read_try_statement(self, at: int) -> _Statement:
        if self._token_at(at + 1) != "{":
            return _Statement(len(self.tokens), TORN)
        end = self._end_of_bracket(at + 1)
        while self._token_at(end) == "catch":
            end = self._end_of_bracket(self._skip_parentheses(end + 1))
        return _Statement(end, WHOLE)

    def _read_simple_statement(self, at: int) -> _Statement:
        index = at
        while index < len(self.tokens):
            token = self.tokens[index]
            if token in _CLOSERS:
                index = self._end_of_bracket(index)
            elif token in ")]}":
                raise _Unbalanced
            elif token == ";":
                return _Statement(index + 1, WHOLE)
            else:
                index += 1
        return _Statement(index, "")

    def _kinds_without_semicolon(self, start: int) -> tuple[str, ...]:
        """Return what the statement that lacks its semicolon may be: another macro, or what a parameter is given."""
        at = start
        while self._token_at(at) in ("if", "for", "while", "switch", "else", "do"):  # what governs it
            at = self._skip_parentheses(at + 1) if self.tokens[at] not in ("else", "do") else at + 1
        while True:
            word, rest = self._token_at(at), len(self.tokens) - at
            if word in self.parameters:
                return (ANY,)
            if not word.isidentifier():
                return ()
            if rest == 1 and word not in _TYPED:
                return (_ALIAS + word,)
            if self._token_at(at + 1) != "(":
                # Several names in capitals are macros, if the last one is.
                names = self.tokens[at:]
                return (_PERHAPS_ALIAS + names[-1],) if all(map(str.isupper, names)) else (OTHER,)
            at = self._end_of_bracket(at + 1)
            if at == len(self.tokens):
                return (f"{_ALIAS}{word}(",)
            if not self._token_at(at).isidentifier():
                return (OTHER,)
