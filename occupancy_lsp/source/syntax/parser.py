"""The parser, and small helpers over its trees."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from sys import intern

import tree_sitter_cuda
from tree_sitter import (
    LANGUAGE_VERSION,
    MIN_COMPATIBLE_LANGUAGE_VERSION,
    Language,
    Node,
    Parser,
    Point,
    Tree,
)

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lex.work_limits import TooLarge
from occupancy_lsp.source.syntax.parse_chunks import HEAD, TAIL, ParseChunk

LANGUAGE = Language(tree_sitter_cuda.language())
if not MIN_COMPATIBLE_LANGUAGE_VERSION <= LANGUAGE.abi_version <= LANGUAGE_VERSION:
    raise ImportError(
        f"tree-sitter-cuda has ABI {LANGUAGE.abi_version}, tree-sitter reads {MIN_COMPATIBLE_LANGUAGE_VERSION} to "
        f"{LANGUAGE_VERSION}: install versions that go together"
    )


class _ThreadReading(threading.local):
    """Of each thread: the one that its parser reads, and the one before."""

    def __init__(self) -> None:
        self.two = [bytearray(), bytearray()]


_PIECES = _ThreadReading()


class ParsedChunk:
    """A part of a text. `top`: the root, or what has its statements for its children, where they stand in the whole.
    `found`: what somebody found in it, by what they looked for."""

    def __init__(self, tree: Tree, part: ParseChunk, moved: int) -> None:
        self.tree = tree  # where nothing has moved yet
        self.moved = moved
        self.holes = part.holes
        self.found: dict[object, object] = {}
        there = tree.copy()
        gaps = ((it.start + 1, it.end - it.start - 2) for it in part.inner)
        for at, width in ((0, moved), *gaps):
            there.edit(at, at, at + width, Point(0, at), Point(0, at), Point(0, at + width))
        self.top = there.root_node


class _Reader:
    """A thread's own parser, and the parts of what it read last: of most texts all but one stand in the next."""

    def __init__(self) -> None:
        self.parser = Parser(LANGUAGE)
        self.parts: dict[bytes, list[ParsedChunk]] = {}


@remembered(16)
def _reader_of_thread(thread: int) -> _Reader:
    """A thread's own: one that asks for its text piece by piece lets other threads run in between.

    It keeps parts of the trees that it has made, so it is let go of with all else that is remembered.
    """
    return _Reader()


_SHORT = 2048  # bytes; nothing so short takes long, and the texts of nodes are quicker to get where steps are not told
_PIECE = 512  # bytes; for the text of a node a whole one is read
# The parser tells of itself once in some 160 bytes of code, in broken code in some 70.
_FEWEST_STEPS, _BYTES_A_STEP = 500, 8
TextOf = Callable[[Node], str]  # the text of a node


def parse(code: bytes) -> Node:
    """Raises TooLarge where the grammar tries too many readings of what it does not know."""
    return _parse_with_step_limit(_reader_of_thread(threading.get_ident()).parser, code).root_node


def parse_in_chunks(whole: ParseChunk) -> tuple[ParsedChunk, dict[int, list[ParsedChunk]]] | None:
    """What stands outside of large blocks, and the parts of each block, by where it starts.

    None: what looks like a block is none. Raises TooLarge as `parse` does.
    """
    reader = _reader_of_thread(threading.get_ident())
    before, reader.parts = reader.parts, {}

    def parse_or_reuse(part: ParseChunk, text: bytes, moved: int) -> ParsedChunk:
        known = reader.parts.setdefault(text, [])
        had = before.get(text, ())
        # Where a text stands twice, each has nodes of its own.
        was = had[len(known)] if len(known) < len(had) else None
        if was is None or (was.moved, was.holes) != (moved, part.holes):
            was = ParsedChunk(_parse_with_step_limit(reader.parser, text) if was is None else was.tree, part, moved)
        known.append(was)
        return was

    outer, found = parse_or_reuse(whole, whole.text, 0), dict[int, list[ParsedChunk]]()
    todo = [*whole.inner]
    while todo:
        block = todo.pop()
        if block.start < len(HEAD):
            return None
        parts = found[block.start] = []
        for it in block.parts:
            part = parse_or_reuse(it, HEAD + it.text + TAIL, it.start - len(HEAD))
            if part.top.type == "translation_unit" and (body := _body_of_only_function(part.top)) is not None:
                part.top = body
            if (part.top.start_byte + 1, part.top.end_byte - 1) != (it.start, it.end):
                return None
            parts.append(part)
            todo += it.inner
    return outer, found


def _body_of_only_function(root: Node) -> Node | None:
    """Of the function that is all that the text has."""
    top = root.named_children
    return top[0].child_by_field_name("body") if len(top) == 1 else None


def _parse_with_step_limit(parser: Parser, code: bytes) -> Tree:
    if len(code) <= _SHORT:
        return parser.parse(code)
    steps, parsing, pieces = 0, True, _PIECES.two

    def exceeds_limit(offset: int, has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > _FEWEST_STEPS + len(code) // _BYTES_A_STEP

    def text_piece(offset: int, point: Point) -> bytes | bytearray:
        if not parsing:  # the text of a node has to be bytes
            return code[offset : offset + _PIECE]
        # tree-sitter 0.26 never lets go of what the parser is given: it is given the same two all the time.
        pieces.reverse()
        pieces[0][:] = code[offset : offset + _PIECE]
        return pieces[0]

    try:
        return parser.parse(text_piece, progress_callback=exceeds_limit)
    except ValueError:
        parser.reset()
        raise TooLarge from None
    finally:
        parsing = False


def named_children(node: Node) -> Sequence[Node]:
    """Most nodes have none and are not asked: this runs on every key."""
    return node.named_children if node.named_child_count else ()


def walk(root: Node, children: Callable[[Node], Sequence[Node]] = named_children) -> list[Node]:
    """Every named node under `root`, itself first."""
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        found.append(node)
        stack += children(node)[::-1]
    return found


def text(node: Node) -> str:
    """For short code without a `NodeIndex`."""
    return intern((node.text or b"").decode("utf-8", "replace"))


def span(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def subscript_indices(element: Node) -> list[Node]:
    """What stands between the brackets of `a[i]`."""
    found = element.child_by_field_name("indices") or element.child_by_field_name("index")
    if found is None:
        return []
    return found.named_children if found.type == "subscript_argument_list" else [found]
