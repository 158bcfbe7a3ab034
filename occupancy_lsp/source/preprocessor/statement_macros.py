"""Macros that stand as statements without a semicolon: the grammar would take each and the next statement for one.

What a macro in sight is, its text says (`macro_classification`). Of one that is not, nobody knows: it may be a whole
statement,
as nearly all are, but also `if (on)`. What follows it then may run or not. Nothing here changes the length of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.brackets import past_parenthesis
from occupancy_lsp.source.lex.statement_braces import IN_WORD, classify_braces, last_word, opening_parenthesis
from occupancy_lsp.source.preprocessor.macro_classification import (
    ANY,
    EMPTY,
    HEAD,
    OPEN_IF,
    OPTIONAL,
    OTHER,
    TORN,
    WHOLE,
)

_FIRST = regex(rb"[;{}:)]\s*([A-Za-z_]\w*)")
_FIRST_IN_BRANCH = (regex(rb"else(?<!\welse)\s+([A-Za-z_]\w*)"), regex(rb"do(?<!\wdo)\s+([A-Za-z_]\w*)"))
# What may be one that is not in sight: a name at the end of its line, or before what goes on with no declaration, or in
# capitals before what may be one; and what is called so. The patterns begin with sets of bytes, to which `re` leaps.
_KEYWORD = rb"(?:if|for|while|do|switch|return|break|continue|goto|throw|case|else)\b"
_AFTER_NAME = regex(
    rb"[ \t](?:(?<=\w.)[ \t]*%b|(?<=[A-Z0-9_].)[ \t]*(?P<declared>[A-Za-z_]\w*[ \t]*[=(\[]))" % _KEYWORD
)
_ASSIGNMENT = regex(rb"[-+*/%&|^<>](?:(?<![<>])=|(?<=<)<[<=]|(?<=>)>=|(?<=\+)\+|(?<=-)-)")
_CALLED = regex(rb"\)(?=[ \t]*\r?\n\s*[A-Za-z_{}*(\[:+-]|[ \t]*(?:\{|%b))" % _KEYWORD)
_NOT_BEFORE_NAME = (b".", b":", b">")
_SPACE = regex(rb"\s*")
_OPENING = regex(rb"[ \t]*\(")
_BRACE = regex(rb"[{}]")
_SHORTEST = 3  # what is shorter is just being typed
_LOUD = regex(rb"[A-Z_][A-Z0-9_]{2,}\Z")
# By convention, these stand for `#pragma unroll` and its like.
_PRAGMA = regex(rb".*(?:UNROLL|PRAGMA)|_Pragma\Z")
_LABEL = regex(rb"(?:\A|[;{}:])\s*(?:case\b[^;{}]*|\w+)\s*:\Z")
_NO_STATEMENT = regex(rb"[=,.)\]?/%|^<>;]|:(?!:)|->|[-+&](?![-+])|\Z")
_CONTROLLING = (b"if", b"for", b"while", b"switch", b"constexpr")
# What follows a name with which no declaration of that type goes on.
_NO_DECLARATION = regex(
    rb"(?:if|for|while|do|switch|return|break|continue|goto|throw|case|default|else|try|static|unsigned|signed|int|long"
    rb"|short|float|double|char|bool|void|auto|struct|constexpr|extern|delete)\b|[{}]|\+\+|--"
    rb"|[A-Za-z_]\w*(?:\s+[A-Za-z_]|\s*(?:[-+*/%&|^]=|<|>>=|\+\+|--|\.|->|::))"
)
_DECLARED = regex(rb"([A-Za-z_]\w*)\s*[=(\[]")
_WORDS = frozenset(
    b"alignas alignof asm auto bool break case catch char class const constexpr continue decltype default delete do"
    b" double else enum explicit extern final float for friend goto if inline int long mutable namespace new noexcept"
    b" operator override private protected public register return short signed sizeof static static_assert struct"
    b" switch template this throw try typedef typename union unsigned using virtual void volatile while __asm__"
    b" __asm asm __volatile__ true false nullptr NULL __restrict__ __restrict".split()
)
_ENDS_HERE = (b"else", b"case", b"default")
_FEWEST_LOOKED_BACK, _MOST_LOOKED_BACK, _LONGEST_LABEL = 64, 4096, 256
_MOST_BEFORE = 256
_NOWHERE = (0, 0)


@dataclass(frozen=True, slots=True)
class GovernedStatement:
    """A statement that a macro may govern, and the macro with its arguments. `surely`: it is known to be a head."""

    statement: int
    start: int
    end: int
    surely: bool


@dataclass(frozen=True, slots=True)
class StatementMacros:
    """`ends`: the white space that is to be a semicolon; `blanks`: the text that stands for nothing; `torn`: where it
    is not known what belongs to which statement, until the macros are expanded; `unseen`: those of which nobody can."""

    ends: tuple[int, ...] = ()
    blanks: tuple[tuple[int, int], ...] = ()
    governed: tuple[GovernedStatement, ...] = ()
    torn: tuple[int, ...] = ()
    unseen: tuple[int, ...] = ()

    def may_affect_control_flow(self, start: int, end: int) -> bool:
        """Return whether macros between these offsets have a say in what of the text runs, once all in sight that
        stand for statements are expanded."""
        return any(start <= at < end for at in (*self.unseen, *(it.start for it in self.governed)))

    def as_written(self, code: bytes, start: int, end: int) -> bytes:
        """Return a part of the code without the semicolons that the macros in it were given."""
        written = bytearray(code[start:end])
        for at in self.ends:
            if start <= at < end:
                written[at - start] = ord(" ")
        return bytes(written)

    def apply_to(self, code: bytes) -> bytes:
        if not (self.ends or self.blanks):
            return code
        ended = bytearray(code)
        for at in self.ends:
            ended[at] = ord(";")
        for start, end in self.blanks:
            ended[start:end] = b" " * (end - start)
        return bytes(ended)


_NONE = StatementMacros()


def find_statement_macros(code: bytes, kinds: Mapping[bytes, str]) -> StatementMacros:
    """Find the macros that stand as statements. `code` has no comments, preprocessor lines, nothing in its strings;
    `kinds`: of the macros in sight."""
    found = sorted({**_possible_unseen_macros(code), **_uses_of_visible_macros(code, kinds)}.items())
    if not found:
        return _NONE
    reader = _Reader(code, kinds)
    for start, end in found:
        reader.read_macro(start, end)
    return StatementMacros(
        tuple(reader.ends), tuple(reader.blanks), tuple(reader.governed), tuple(reader.torn), tuple(reader.unseen)
    )


def _uses_of_visible_macros(code: bytes, kinds: Mapping[bytes, str]) -> dict[int, int]:
    """Return where macros in sight stand, and where their names end."""
    if not kinds:
        return {}
    words = {name for pattern in (_FIRST, *_FIRST_IN_BRANCH) for name in pattern.findall(code)}
    names = (it for it in words if it in kinds or it + b"(" in kinds)
    return {at: at + len(name) for name in names for at in _word_occurrences(name, code)}


def _word_occurrences(name: bytes, code: bytes) -> Iterator[int]:
    at = code.find(name)
    while at >= 0:
        end = at + len(name)
        if not any(it in IN_WORD for it in code[max(at - 1, 0) : at] + code[end : end + 1]):
            yield at
        at = code.find(name, end)


def _possible_unseen_macros(code: bytes) -> dict[int, int]:
    """Return where names stand that may be macros out of sight, and where they end."""
    names = (
        *_names_at_line_ends(code),
        *_names_before_statements(code),
        *(_name_before_assignment(code, it.start()) for it in _ASSIGNMENT.finditer(code)),
        *(_name_before(code, opening_parenthesis(code, it.start())) for it in _CALLED.finditer(code)),
    )
    return {start: end for start, end in names if end and code[start:end] not in _WORDS}


def _names_at_line_ends(code: bytes) -> Iterator[tuple[int, int]]:
    start = 0
    for line in code.split(b"\n")[:-1]:
        text = line.rstrip()
        if text and text[-1] in IN_WORD:
            yield _name_before(code, start + len(text))
        start += len(line) + 1


def _names_before_statements(code: bytes) -> Iterator[tuple[int, int]]:
    """Those before a keyword, or before a name in a way that only one in capitals may be a macro."""
    for match in _AFTER_NAME.finditer(code):
        start, end = _name_before(code, match.start())
        if match["declared"] is None or _LOUD.match(code[start:end]):
            yield start, end


def _name_before_assignment(code: bytes, at: int) -> tuple[int, int]:
    """The first of the two names before an assignment, as in `CHECK n += 1`."""
    start, end = _name_before(code, at)
    are_two = end and code[start - 1 : start] in (b" ", b"\t")
    return _name_before(code, start) if are_two else _NOWHERE


def _name_before(code: bytes, at: int) -> tuple[int, int]:
    """Return where the name before `at` starts and ends; `_NOWHERE`: none is there that is not another's member."""
    first = max(at - _MOST_BEFORE, 0)
    text = code[first : max(at, 0)].rstrip()
    before = text.rstrip(IN_WORD)
    name = text[len(before) :]
    if not name or name[:1].isdigit() or before.endswith(_NOT_BEFORE_NAME):
        return _NOWHERE
    return first + len(before), first + len(text)


@dataclass(slots=True)
class _Reader:
    """Goes through what may be macros, as they stand. `governs`: the statements that a macro before is the head of."""

    code: bytes
    kinds: Mapping[bytes, str]
    ends: list[int] = field(default_factory=list)
    blanks: list[tuple[int, int]] = field(default_factory=list)
    governed: list[GovernedStatement] = field(default_factory=list)
    torn: list[int] = field(default_factory=list)
    unseen: list[int] = field(default_factory=list)
    stands: dict[int, str] = field(default_factory=dict)  # the places behind other macros
    _blocks: tuple[list[int], list[bool]] | None = None

    def read_macro(self, start: int, name_end: int) -> None:
        name, end = self.code[start:name_end], name_end
        opening = _OPENING.match(self.code, name_end)
        if opening is not None and (name + b"(" in self.kinds or name not in self.kinds):
            end = past_parenthesis(self.code, opening.end(), len(self.code))
            kind = self.kinds.get(name + b"(")
        else:
            opening, kind = None, self.kinds.get(name)
        following = self._skip_space(end) if end else -1
        if kind == OTHER or not end or _NO_STATEMENT.match(self.code, following):
            return
        place = self.stands.get(start) or self._syntactic_position(start)
        if not place and (opening is None or not _LOUD.match(name)):
            return
        if not self._is_in_block(start):
            self._record_as_member(name, start, end, opening is not None, following)
            return
        if kind is None and not self._may_be_macro(name, end, opening is not None, following):
            return
        if kind is None and place == "statement" and opening is not None and self.code[following] == ord("{"):
            return  # the grammar takes it for a function, and readers of that for a loop
        count = len(self.torn)
        if place == "statement":
            self._record_as_statement(kind or self._unseen_kind(name), start, end, opening is not None, following)
        elif place == "body":
            self._record_as_body(kind or self._unseen_kind(name), start, end, opening is not None, following)
        if kind != TORN:
            self.unseen += self.torn[count:]

    def _unseen_kind(self, name: bytes) -> str:
        return EMPTY if _PRAGMA.match(name) else ANY

    def _may_be_macro(self, name: bytes, end: int, called: bool, following: int) -> bool:
        """Return whether a name that is not in sight may be one, rather than the type of what follows."""
        if called:
            return True
        if len(name) < _SHORTEST:
            return False
        if self.code[following : following + 1] in (b"(", b'"'):
            return False
        if _NO_DECLARATION.match(self.code, following):
            return True
        if _LOUD.match(name) and b"\n" in self.code[end:following]:
            return True
        declared = _DECLARED.match(self.code, following)
        return declared is not None and self._is_mentioned_before(declared[1], following)

    def _is_mentioned_before(self, name: bytes, at: int) -> bool:
        """Return whether the block has the name before, so that it is not declared there."""
        before = self.code[max(at - _MOST_LOOKED_BACK, 0) : at]
        depth, pieces, until = 0, list[bytes](), len(before)
        for match in reversed([*_BRACE.finditer(before)]):
            if not depth:
                pieces.append(before[match.end() : until])
            depth += 1 if match[0] == b"}" else -1
            until = match.start()
            if depth < 0:
                break
        else:
            pieces.append(before[:until] if not depth else b"")
        return any(True for it in pieces for _ in _word_occurrences(name, it))

    def _record_as_statement(self, kind: str, start: int, end: int, called: bool, following: int) -> None:
        word = self._word_at(following)
        goes_on = self.code[following : following + 1]
        if called and goes_on == b"{" and kind in (HEAD, ANY, TORN):  # the grammar takes it for a function
            if kind == TORN:
                self.torn.append(start)
            self.governed.append(GovernedStatement(following, start, end, kind == HEAD))
            return
        else_is_its = kind in (OPEN_IF, TORN) and word == b"else"  # which a semicolon would take away
        if kind == TORN or else_is_its:
            self.torn.append(start)
        elif kind == HEAD or (kind == ANY and goes_on != b"}" and word not in _ENDS_HERE):
            self.governed.append(GovernedStatement(following, start, end, kind == HEAD))
        if not else_is_its:
            self._add_semicolon(start, end)
        self.stands[following] = "statement"

    def _record_as_body(self, kind: str, start: int, end: int, called: bool, following: int) -> None:
        """What an `if`, `else`, `do` or a loop governs."""
        word = self._word_at(following)
        closed = self.code[following : following + 1] == b"}" or word in _ENDS_HERE
        closed = closed or (word == b"while" and self.code[:start].rstrip().endswith(b"do"))
        if kind == EMPTY or (kind == HEAD and not called):
            self.blanks.append((start, end))
            self.stands[following] = "body"
            if kind == HEAD:
                self.governed.append(GovernedStatement(following, start, end, True))
            return
        if called and self.code[following : following + 1] == b"{" and kind in (HEAD, ANY):
            self.governed.append(GovernedStatement(following, start, end, kind == HEAD))
            if kind == ANY:
                self.torn.append(start)
            return
        plain = kind == WHOLE or (closed and kind in (OPTIONAL, ANY))
        if not plain and not (kind == OPEN_IF and word != b"else"):
            self.torn.append(start)
        self._add_semicolon(start, end)
        self.stands[following] = "statement"

    def _add_semicolon(self, start: int, end: int) -> None:
        if self.code[end : end + 1].isspace():
            self.ends.append(end)
        else:
            self.torn.append(start)

    def _record_as_member(self, name: bytes, start: int, end: int, called: bool, following: int) -> None:
        """A macro among the members of a class, as those that declare some."""
        alone = b"\n" in self.code[end:following] and self.code[start - 1 : start].isspace()
        before = self.code[max(start - _FEWEST_LOOKED_BACK, 0) : start].rstrip()[-1:]
        goes_on = self.code[following : following + 1]
        among = before in (b";", b"{", b"}", b")") and (goes_on in (b"}", b"_") or goes_on.isalpha())
        if called and alone and among and _LOUD.match(name):
            self.ends.append(end)

    def _syntactic_position(self, start: int) -> str:
        """Return whether a "statement" starts there, or the "body" of one; "": neither."""
        before = self.code[max(start - _FEWEST_LOOKED_BACK, 0) : start].rstrip()
        if not before.endswith((b"{", b"}")):  # which say it at once
            before = self.code[max(start - _MOST_LOOKED_BACK, 0) : start].rstrip()
        last = before[-1:]
        if last in (b"{", b"}"):
            return "statement"
        if last == b";":
            since = before[max(before.rfind(b"{"), before.rfind(b"}"), 0) :]
            return "statement" if since.count(b"(") <= since.count(b")") else ""
        if last == b":":
            return "statement" if _LABEL.search(before[-_LONGEST_LABEL:]) and not before.endswith(b"::") else ""
        if last == b")":
            opening = opening_parenthesis(before, len(before) - 1)
            return "body" if last_word(before[: max(opening, 0)].rstrip()) in _CONTROLLING else ""
        return "body" if last_word(before) in (b"else", b"do") else ""

    def _skip_space(self, end: int) -> int:
        space = _SPACE.match(self.code, end)
        return space.end() if space is not None else end

    def _word_at(self, at: int) -> bytes:
        end = at
        while self.code[end : end + 1].isalpha():
            end += 1
        return self.code[at:end]

    def _is_in_block(self, at: int) -> bool:
        """Return whether statements stand there, rather than members, enumerators or values."""
        if self._blocks is None:
            self._blocks = classify_braces(self.code)
        offsets, are_blocks = self._blocks
        before = bisect_right(offsets, at)
        return before > 0 and are_blocks[before - 1]
