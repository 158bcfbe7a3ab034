"""A Python file, kept in step with its edits: only statements that changed are parsed again."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.python.module import Found, Made, Module
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.outline import Outline
from occupancy_lsp.languages.python.statements import Statement, read
from occupancy_lsp.languages.python.walking import walk
from occupancy_lsp.source.incremental.kernel_text import SILENT, FileFacts, KernelText, directives_in
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import DirectiveComment
from occupancy_lsp.source.sema.translation_unit import NOTHING, UnitContext
from occupancy_lsp.source.syntax.known_value import Place

Resolve = Callable[[Module, Mapping[str, int]], Found]
_SAYS = regex(r"#[#!\s]*occupancy:[ \t]*")
_SPOKEN = b"occupancy:"
_WORD = regex(rb"[^\W\d]\w*")


class PythonSource(KernelText):
    """`resolve`: what the statements say of kernels, given the macros that tell the device."""

    def __init__(self, content: bytes, dialect: Dialect, resolve: Resolve) -> None:
        self.dialect = dialect
        self._resolve = resolve
        self._content = content
        self._outline = Outline()
        self._known: tuple[object, FileFacts] = None, SILENT
        self._made: Mapping[Hashable, Made] = {}
        self._giving: tuple[tuple[Placed, ...], Mapping[str, Sequence[Statement]]] = (), {}

    def replace(self, content: bytes, start: int, old_end: int, new_end: int) -> None:
        self._content = content

    def read_ahead(self) -> Iterator[None]:
        yield from self._outline.steps(self._content)

    def facts(self, macros: Mapping[str, int], around: Sequence[UnitContext] = (NOTHING,)) -> FileFacts:
        self._outline.follow(self._content)
        placed = self._outline.placed
        specialising = frozenset[str]().union(*(it.specialising for it in around))
        asked = placed, dict(macros), specialising
        if self._known[0] != asked:
            module = replace(Module.of(placed, self._outline.names, self._made), specialising=specialising)
            found = self._resolve(module, macros)
            self._made = module.made
            self._known = asked, self._kept(self._facts(found))
        return self._known[1]

    def _facts(self, found: Found) -> FileFacts:
        by_item: dict[int, list[Kernel]] = {}
        for kernel in found.kernels:
            by_item.setdefault(kernel.item, []).append(kernel)
        saying = [it for it in self._outline.placed if it.item in by_item or _SPOKEN in it.statement.text]
        each = ((it.item, comments(it.statement.text), by_item.get(it.item, ())) for it in saying)
        directives, for_file, stray = directives_in(each, self.body_of)
        kernels = tuple(kernel for it in saying for kernel in by_item.get(it.item, ()))
        return FileFacts(kernels, found.launches, (), directives, for_file, stray, 0, preferred=found.preferred)

    def _kept(self, now: FileFacts) -> FileFacts:
        """With the kernels that say what they said before as they were."""
        before = {(it.item, it.name_place.start): it for it in self._known[1].kernels}
        each = ((before.get((it.item, it.name_place.start), it), it) for it in now.kernels)
        return replace(now, kernels=tuple(was if was == it else it for was, it in each))

    def kernel_fingerprint(self, kernel: Kernel) -> str:
        texts = self._hangs_on(kernel)
        return blake2b(b"\0\0".join(sorted(map(tokens, texts))), digest_size=8).hexdigest()

    def depends_on_unread_files(self, kernel: Kernel) -> bool:
        imported = {name for it in self._outline.placed for name in _imported(it.statement.text)}
        return any(not imported.isdisjoint(_names(it)) for it in self._hangs_on(kernel) if not _imported(it))

    def _hangs_on(self, kernel: Kernel) -> Iterable[bytes]:
        """The kernel's statement and those that give the names in it a meaning, in turn."""
        givers = self._givers()
        seen: dict[bytes, None] = {}
        todo = [self._outline.placed[self._outline.index[kernel.item]].statement]
        while todo:
            statement = todo.pop()
            if statement.text not in seen:
                seen[statement.text] = None
                todo += (it for name in _names(statement.text) for it in givers.get(name, ()))
        return seen

    def _givers(self) -> Mapping[str, Sequence[Statement]]:
        """By name, the statements that give it a meaning; gathered once for a text."""
        if self._giving[0] is not self._outline.placed:
            found: dict[str, list[Statement]] = {}
            for it in self._outline.placed:
                for name, _ in (*it.statement.given, *it.statement.imports):
                    found.setdefault(name, []).append(it.statement)
            self._giving = self._outline.placed, found
        return self._giving[1]

    def start_of(self, item: int) -> int:
        return self.begin + self._outline.start_of(item)

    def holds(self, place: Place) -> bool:
        return place.item in self._outline.index

    def body_of(self, kernel: Kernel) -> Place:
        return kernel.body

    def index_of(self, item: int) -> int:
        return self._outline.index[item]

    def index_at(self, offset: int) -> int:
        self._outline.follow(self._content)
        return max(bisect_right(self._outline.starts, offset - self.begin) - 1, 0)

    def item_text(self, item: int) -> bytes:
        return self._outline.placed[self._outline.index[item]].statement.text

    def is_true_of_active_code(self, told: Callable[[bytes], object], words: Sequence[bytes]) -> bool:
        return any(told(it.statement.text) for it in self._outline.placed)

    def place_in_item_of_order(self, order: int, place: Place) -> Place:
        return Place(self._outline.placed[order].item, place.start, place.end)

    def code_start(self, place: Place) -> int:
        text, at = self.item_text(place.item), place.start
        while match := re.compile(rb"\s*(?:#[^\n]*)?\n").match(text, at):
            at = match.end()
        return at


@remembered(1024)
def comments(text: bytes) -> tuple[DirectiveComment, ...]:
    """Those of a statement that speak to us."""
    if _SPOKEN not in text:
        return ()
    starts = read(text).starts
    return tuple(_spoken(text, starts))


def _spoken(text: bytes, starts: tuple[int, ...]) -> Iterator[DirectiveComment]:
    lines = io.StringIO(text.decode("utf-8-sig", "replace"), newline="")
    try:
        for token in tokenize.generate_tokens(lines.readline):
            if token.type == tokenize.COMMENT and (said := _SAYS.match(token.string)):
                at = starts[token.start[0] - 1] + len(token.line[: token.start[1]].encode())
                start = at + len(said[0].encode())
                yield DirectiveComment(Span(start, at + len(token.string.encode())), token.string[said.end() :])
    except (tokenize.TokenError, SyntaxError, IndexError):
        return


@remembered(1024)
def tokens(text: bytes) -> bytes:
    """Without comments, and without the space between them but for what it means."""
    lines = io.StringIO(text.decode("utf-8", "replace"), newline="")
    left = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE)
    try:
        return "\0".join(
            f"{it.type}" if it.type in (tokenize.INDENT, tokenize.DEDENT) else it.string
            for it in tokenize.generate_tokens(lines.readline)
            if it.type not in left
        ).encode()
    except (tokenize.TokenError, SyntaxError):
        return text


# Whose functions are part of a kernel's code only as their own versions are.
_LIBRARIES = set(
    b"__future__ tilelang triton numba warp cuda cutlass numpy torch cupy math itertools functools typing os sys"
    b" warnings collections dataclasses contextlib packaging enum inspect abc time logging".split()
)


_IMPORTING = {b"from", b"import", b"try", b"if", b"with"}  # what statements that may import begin with


@remembered(1024)
def _imported(text: bytes) -> frozenset[str]:
    """The names that a statement takes from files that may change as this one does."""
    if tokens(text).partition(b"\0")[0] not in _IMPORTING:
        return frozenset()
    found: set[str] = set()
    for node in (it for top in read(text).nodes for it in walk(top)):
        if isinstance(node, ast.Import):
            names = (it for it in node.names if not _is_of_library(it.name))
            found |= {it.asname or it.name.partition(".")[0] for it in names}
        elif isinstance(node, ast.ImportFrom) and (node.level or not _is_of_library(node.module or "")):
            found |= {it.asname or it.name for it in node.names}
    return frozenset(found)


def _is_of_library(module: str) -> bool:
    return module.partition(".")[0].encode() in _LIBRARIES


@remembered(1024)
def _names(text: bytes) -> frozenset[str]:
    return frozenset(it.decode() for it in _WORD.findall(tokens(text)))
