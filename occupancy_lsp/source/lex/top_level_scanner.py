"""Where a top-level piece of a file ends, by its own bytes and a little after them.

What is unfinished or broken in one piece cannot hide the next kernel.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.disabled_groups import OpenConditionals, disabled_group_end
from occupancy_lsp.source.lex.non_code_patterns import (
    code_token_pattern,
    directive_name,
    has_open_quote,
    without_comments_and_strings,
)

Kind = Literal["code", "comment", "directive", "open", "close"]


@remembered(64)
def _token_pattern(kernel_words: tuple[bytes, ...], marks: bytes) -> re.Pattern[bytes]:
    raw_strings = b"__kernel" not in kernel_words
    wanted = rb"(?P<mark>[%b]|<%%|%%>|\b(?:%b)\b)" % (marks, b"|".join(kernel_words))
    starts = marks + b"<%" + b"".join(word[:1] for word in kernel_words)
    return code_token_pattern(wanted, starts=starts, raw_strings=raw_strings)


_TRIVIA = regex(rb"(?:\s+|\xef\xbb\xbf|//[^\\\r\n]*(?:\\(?:\r\n|.)?[^\\\r\n]*)*|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_CONTAINER = regex(rb'(?:inline\s+)?namespace\b[^(;]*\Z|extern\s*"C(?:\+\+)?"\s*\Z')
_WORDS = rb"(?:(?:typedef|static|const)\s+)*"
_TYPE = regex(rb"%b(?:template\s*<.*?>\s*%b)?(?:class|struct|union|enum)\b" % (_WORDS, _WORDS), re.DOTALL)
_INITIALIZER = regex(rb"=\s*(?:\[.*)?\Z", re.DOTALL)
_PARAMETERS = regex(rb"\)(?:const\b|noexcept\b|override\b|\s)*\Z")
_ANNOTATION = regex(
    rb"(?:__align__|alignas|__attribute__|__declspec)\s*\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)"
)
# Of a type, before which a function's would have a name of its own: `struct ALIGNED(16) {`.
_ANNOTATED = regex(rb"(?:typedef\b.*|%b\s+\w+\s*\([^()]*\)\s*)\Z" % _TYPE.pattern, re.DOTALL)
_BLANK_LINE = regex(rb"\n[ \t]*\r?\n")
_LINES = regex(rb"(?:[ \t\r\f\v]*\n)*")  # the rest of one, and blank ones
# A line with which a declaration starts, but behind what may stand before such a word.
_BEGINS = regex(rb"\n(?=[ \t]*(?:template|namespace|using|typedef)\b)")
_OUTSIDE = regex(rb"\n(?P<column>[ \t]*)(?:template|namespace)\b")
_GOES_ON = regex(rb"(?:\b(?:extern|inline|export)|::|->|\.)\Z")
# Of braces, comments, strings and preprocessor lines.
_TELLING = regex(rb"""[{}"'/\\#]|<%|%>|%:""")
_CONDITION = regex(rb"^[ \t]*#", re.MULTILINE)

# Attributes in brackets before a function, and where each branch of an #if has its own.
_ATTRIBUTE = rb"\[(?:[^][{};]|\[[^][{};]*\])*\]"
_ATTRIBUTES = regex(rb"(?:\s+|%b|(?:#|//)[^\n]*\n)*\[\s*" % _ATTRIBUTE)
_BRANCHES_OF_ATTRIBUTES = regex(
    rb"#[ \t]*if[^\n]*\n\s*%b(?:\s*(?:%b|#[ \t]*el[^\n]*\n|//[^\n]*\n))*\s*#[ \t]*endif\b" % (_ATTRIBUTE, _ATTRIBUTE)
)


@dataclass(frozen=True, slots=True, eq=False)
class TopLevelPiece:
    """`depth`: how many more braces it opens than closes. `split`: where it may have ended already, as far as the
    layout tells: behind a brace that stands where the piece starts, and yet closes something in it. `closed`: it ends
    where it does whatever follows. `body`: where the brace stands of a function that ends with it, if nothing in
    between hangs on anything but braces; None: that is not sure.
    """

    kind: Kind
    text: bytes
    depth: int
    function: bool = False
    split: int | None = None
    closed: bool = False
    body: int | None = None


def skip_trivia(content: bytes, start: int) -> int:
    """Past the white space and comments at `start`."""
    match = _TRIVIA.match(content, start)
    return match.end() if match else start


def skip_blank_lines(content: bytes, start: int) -> int:
    """Past the white space at `start` up to the start of a line; `start`, if something else ends its line."""
    match = _LINES.match(content, start)
    return match.end() if match else start


def _kind_of_brace(head: bytes) -> Literal["function", "declaration", "container"]:
    """What the brace after `head` opens."""
    if _CONTAINER.match(head):
        return "container"
    plain = _ANNOTATION.sub(b"", head)
    bounds = plain.rfind(b"__launch_bounds__")
    if bounds >= 0 and plain.count(b"(", bounds) > plain.count(b")", bounds):
        return "declaration"  # of an object in the bounds: `Config{128}.threads`
    if b"(" not in plain or _INITIALIZER.search(plain):
        return "declaration"
    if _TYPE.match(plain) and (not _PARAMETERS.search(plain) or _ANNOTATED.match(plain)):
        return "declaration"
    return "function"


def _end_of_unfinished_declaration(head: bytes) -> int | None:
    """Where a declaration ends that is being typed above another, whose start is in `head`; None: there is none."""
    if _BEGINS.search(head) is None or _CONDITION.search(head) is not None:
        return None
    code = without_comments_and_strings(head)
    each = (code[: match.start()].rstrip() for match in _BEGINS.finditer(code))
    return next(
        (len(before) for before in each if before.strip() and not _may_precede_declaration(before.lstrip())), None
    )


def _may_precede_declaration(code: bytes) -> bool:
    """Whether what starts a declaration may stand behind it: `template <class T>` before another one."""
    if code.startswith(b"template"):
        return code.endswith(b">") or code.count(b"<") > code.count(b">")
    return _GOES_ON.search(code) is not None


@dataclass(slots=True)
class _OpenConditional:
    """An #if that is open: the brace depth where it starts, and where its first branch ends if there is an #else."""

    condition: bytes
    start: int
    first: int | None = None


@dataclass(slots=True)
class _Scanner:
    """Walks the tokens of one item; each step answers the item's end and kind once it knows them."""

    content: bytes
    tokens: re.Pattern[bytes]
    start: int
    first: int  # where the first token stands
    head: int  # where the part before the next outermost brace starts
    statement: int  # where the innermost statement started, or one before it in the same braces
    depth: int = 0
    shape: str = "declaration"
    kernel_seen: bool = False
    looked: int = 0  # how far blank lines and the ends of statements have been looked for
    blank: int = 0  # where the last of them ends
    branches: list[_OpenConditional] = field(default_factory=list)
    # Braces that are open under a condition and not without it, as of a loop that starts and ends under #ifdefs.
    under: dict[bytes, int] = field(default_factory=dict)
    split: int | None = None
    body: int | None = None  # where the outermost brace opened last, if no kernel's word stands in it
    conditionals: OpenConditionals = field(default_factory=OpenConditionals)
    skipped: int = 0  # how far a literal condition leaves out what stands there

    def at_directive(self, at: int, end: int) -> tuple[int, Kind] | None:
        self.skipped = (
            disabled_group_end(self.content, end)
            if self.conditionals.starts_disabled_group(self.content[at:end])
            else end
        )
        if at == self.first and not _BRANCHES_OF_ATTRIBUTES.match(self.content, at):
            return self.skipped, "directive"
        name = directive_name(self.content, at)
        line = self.content.rfind(b"\n", self.start, at) + 1 or self.start
        if name in ("else", "elif", "elifdef", "elifndef"):
            if not self.branches:  # of an #if above this item: the other branch starts anew
                return line, "code"
            branching = self.branches[-1]
            branching.first = self.depth if branching.first is None else branching.first
            self.depth = branching.start
        elif name in ("if", "ifdef", "ifndef"):
            condition = b" ".join(self.content[at:end].partition(b"//")[0].split())
            self.branches.append(_OpenConditional(condition, self.depth))
            self.depth += self.under.get(condition, 0)
        elif name == "endif":
            if self.branches:
                self.leave_conditional(self.branches.pop())
            elif not self.depth and has_open_quote(self.content[self.head : at]):  # no code that goes on below
                return line, "code"
        elif not self.depth:
            return line, "code"
        self.statement = end
        return None

    def leave_conditional(self, branching: _OpenConditional) -> None:
        """By an #endif: what follows is as the last branch left it, or as it was before if that alone closes braces."""
        condition, first = branching.condition, branching.first
        if first is not None:
            self.under[condition] = max(first - self.depth, 0)
        elif self.under.get(condition):
            self.under[condition] = self.depth - branching.start
            self.depth = branching.start

    def at_kernel_word(self, at: int, _: int) -> tuple[int, Kind] | None:
        """No kernel stands inside a function or in another's head: what came before was left unfinished."""
        inside = self.shape == "function" if self.depth else self.kernel_seen
        inside = inside and not _ATTRIBUTES.fullmatch(self.content, self.head, at)
        self.kernel_seen, self.body = True, None
        if inside:
            for match in self.tokens.finditer(self.content, max(self.statement, self.looked), at):
                self.statement = match.end() if match["mark"] == b";" else self.statement
            since = max(self.statement, self.looked)
            for match in _BLANK_LINE.finditer(without_comments_and_strings(self.content[since:at])):
                self.blank = since + match.end()
            self.looked = at
            cut = max(self.statement, self.blank)
            if cut > self.first:
                return cut, "code"
        return None

    def at_opening_brace(self, at: int, end: int) -> tuple[int, Kind] | None:
        if not self.depth:
            head = self.content[self.head : at]
            if (cut := _end_of_unfinished_declaration(head)) is not None:
                return self.head + cut, "code"
            self.shape = _kind_of_brace(head[skip_trivia(head, 0) :])
            if self.shape == "container":
                return end, "open"
            self.body = at
        self.depth += 1
        self.statement = end
        return None

    def at_closing_brace(self, at: int, end: int) -> tuple[int, Kind] | None:
        if not self.depth:
            return (end, "close") if at == self.first else (at, "code")
        self.depth -= 1
        self.statement = end
        if not self.depth:
            self.head = end
            if self.shape == "function":
                return end, "code"
        elif self.split is None:
            self.split = self.layout_end(at, end)
        return None

    def layout_end(self, at: int, end: int) -> int | None:
        """Where the piece may end, as a brace tells that starts its line no further right than the first token starts
        its own: before a line that starts what stands in no function, else behind the brace. None: it tells nothing."""
        column, first = column_of(self.content, at, self.start), column_of(self.content, self.first, self.start) or 0
        if column is None or column > first:
            return None
        within = without_comments_and_strings(self.content[self.first : at])
        outside = (it for it in _OUTSIDE.finditer(within) if len(it["column"]) <= first)
        ends = (self.first + len(within[: it.start()].rstrip()) for it in outside)
        return next(ends, end)

    def at_semicolon(self, at: int, end: int) -> tuple[int, Kind] | None:
        if not self.depth and (cut := _end_of_unfinished_declaration(self.content[self.head : at])) is not None:
            return self.head + cut, "code"
        self.statement = end
        return None if self.depth else (end, "code")


def column_of(content: bytes, at: int, start: int = 0) -> int | None:
    """None: something else stands before it in its line, or the line begins before `start`."""
    line = content.rfind(b"\n", max(start - 1, 0), at) + 1
    return at - line if (line or not start) and not content[line:at].strip() else None


def scan_piece(content: bytes, start: int, kernel_words: tuple[bytes, ...]) -> TopLevelPiece:
    """The piece that starts at `start`, outside of every brace."""
    first = skip_trivia(content, start)
    line = content.rfind(b"\n", start, first) + 1
    if content[start:line].strip() and not content[line:first].strip():
        return TopLevelPiece("comment", content[start:line], 0)
    scanner = _Scanner(content, _token_pattern(kernel_words, b"{};"), start, first, head=first, statement=first)
    end, kind, closed = _scan_to_end(scanner, kernel_words)
    end = skip_blank_lines(content, end)  # so that what is typed above the next one leaves that as it is
    depth = {"open": 1, "close": -1}.get(kind, scanner.depth)
    split, function = _offset_in_piece(scanner.split, start, end), scanner.shape == "function"
    simple = function and closed and not depth and split is None
    body = _offset_in_piece(scanner.body, start, end) if simple else None
    return TopLevelPiece(kind, content[start:end], depth, function, split, closed, body)


def piece_after_edit(
    piece: TopLevelPiece, start: int, end: int, now: bytes, kernel_words: Sequence[bytes]
) -> TopLevelPiece | None:
    """The piece with other bytes from `start` to `end`. None: it may end elsewhere then.

    In a body lines without braces and without what begins or ends what is not code have no say in where it ends.
    """
    text = piece.text
    first, last = text.rfind(b"\n", 0, start) + 1, text.find(b"\n", end)
    if piece.body is None or first <= piece.body or not 0 <= last < len(text.rstrip()):
        return None
    lines = text[first:last], text[first:start] + now + text[end:last]
    if any(_TELLING.search(it) or any(word in it for word in kernel_words) for it in lines):
        return None
    return replace(piece, text=text[:start] + now + text[end:])


def _offset_in_piece(at: int | None, start: int, end: int) -> int | None:
    return at - start if at is not None and at < end else None


def _scan_to_end(scanner: _Scanner, kernel_words: tuple[bytes, ...]) -> tuple[int, Kind, bool]:
    """Where the piece ends, its kind, and whether a token of its own ends it.

    In braces, where most of a text is, nobody asks where statements end: that is looked for once a kernel does.
    """
    brace, close = scanner.at_opening_brace, scanner.at_closing_brace
    steps = {b"{": brace, b"<%": brace, b"}": close, b"%>": close, b";": scanner.at_semicolon}
    at: int | None = scanner.start
    while at is not None:
        inside = scanner.depth > 0
        tokens, start, at = _token_pattern(kernel_words, b"{}") if inside else scanner.tokens, at, None
        for match in tokens.finditer(scanner.content, start):
            if match.lastgroup == "mark":
                done = steps.get(match["mark"], scanner.at_kernel_word)(*match.span())
            elif match.lastgroup == "directive":
                done = scanner.at_directive(match.start("directive"), match.end())
            else:
                continue
            if done:
                return *done, done[0] == match.end()
            if inside != (scanner.depth > 0) or scanner.skipped > match.end():
                at = max(match.end(), scanner.skipped)
                break
    return len(scanner.content), "code", False
