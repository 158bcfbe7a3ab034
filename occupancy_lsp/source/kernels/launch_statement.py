"""The statement that launches a kernel, as text: where another can be put before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.token_cursor import TOKEN

_DIRECTIVE = regex(r"#(?:[^\n\\]|\\.)*", re.DOTALL)  # of the preprocessor, with the lines that continue it
_CONTROLS = frozenset({"if", "constexpr", "for", "while"})
_CHECKED = regex(r"(?:(?:\w+\s*)?\(\s*)*")  # `CHECK(`
_KERNEL = regex(r"((?:::)?\w+(?:\s*::\s*\w+)*(?:\s*<.*>)?)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LaunchStatement:
    """`start` to `end`, its semicolon included; `controlled`: where the `if`, `else` or loop ends that it alone is the
    body of; None: it stands in a block."""

    start: int
    end: int
    controlled: int | None


@dataclass(slots=True)
class _Block:
    """`start` None: the next token begins a statement. `depth`: of brackets that are open in it, `header`: where those
    of an `if` or a loop open."""

    start: int | None = None
    controlled: int | None = None
    first: str = ""
    depth: int = 0
    header: int | None = None

    def end_statement(self, controlled: int | None = None) -> None:
        self.start, self.controlled, self.header = None, controlled, None

    def read_token(self, before: str, token: str, start: int, end: int) -> None:
        """Any token but braces and the end of a statement."""
        if self.start is None:
            self.start, self.first = start, token
        if token in ("(", "["):
            if token == "(" and before in _CONTROLS and not self.depth:
                self.header = 0
            self.depth += 1
        elif token in (")", "]"):
            self.depth -= 1
            if self.depth == self.header:
                self.end_statement(end)
        elif token in ("else", "do") and not self.depth:
            self.end_statement(end)
        elif token == ":" and not self.depth and (self.first in ("case", "default") or before == self.first):
            self.end_statement()


def kernel_as_written(target: bytes) -> str:
    """The kernel with its template arguments, in what stands before a launch's configuration; "": there is more."""
    match = _KERNEL.fullmatch(target.decode("utf-8", "replace"))
    return match[1].strip() if match else ""


def launch_statement(item: bytes, at: int) -> LaunchStatement | None:
    """The statement whose launch begins at `at`. None: it is not seen, or does more than launch."""
    text = item.decode("latin-1")  # a character is a byte
    blocks: list[_Block] = []
    found: _Block | None = None
    before = ""
    for token, start, end in _tokenize(text):
        block = blocks[-1] if blocks else None
        if start > at and found is None:
            found = block
            if found is None or found.start is None or not _CHECKED.fullmatch(text, found.start, at):
                return None
        if token.startswith("#"):
            if start <= at < end:
                return None
        elif token == "{":
            blocks.append(_Block())
        elif block is not None and token == "}":
            blocks.pop()
            if block is found:
                return None
            if blocks and not blocks[-1].depth:
                blocks[-1].end_statement()
        elif block is not None and token == ";" and not block.depth:
            if block is found and block.start is not None:
                return LaunchStatement(block.start, end, block.controlled)
            block.end_statement()
        elif block is not None:
            block.read_token(before, token, start, end)
        before = token
    return None


def _tokenize(text: str) -> Iterator[tuple[str, int, int]]:
    """With their places, without comments; a directive of the preprocessor is one."""
    at = 0
    while (match := TOKEN.search(text, at)) is not None:
        if match[0] == "#":
            match = _DIRECTIVE.match(text, match.start()) or match
        at = match.end()
        if not match[0].startswith(("//", "/*")):
            yield match[0], match.start(), at
