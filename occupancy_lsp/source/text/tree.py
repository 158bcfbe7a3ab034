"""The parser, and small helpers over its trees."""

from __future__ import annotations

import threading
from collections.abc import Callable

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

from occupancy_lsp.core.frozen import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.sequences import shared_bytes
from occupancy_lsp.source.text.limits import TooLarge
from occupancy_lsp.source.text.span import Span

LANGUAGE = Language(tree_sitter_cuda.language())
if not MIN_COMPATIBLE_LANGUAGE_VERSION <= LANGUAGE.abi_version <= LANGUAGE_VERSION:
    raise ImportError(
        f"tree-sitter-cuda has ABI {LANGUAGE.abi_version}, tree-sitter reads {MIN_COMPATIBLE_LANGUAGE_VERSION} to "
        f"{LANGUAGE_VERSION}: install versions that go together"
    )


class _Pieces(threading.local):
    """Of each thread: the one that its parser reads, and the one before."""

    def __init__(self) -> None:
        self.two = [bytearray(), bytearray()]


_PIECES = _Pieces()


@dataclass(frozen=True, slots=True)
class _Read:
    """A text that was read without an error. `steps`: what that took, from the last time that it was read whole."""

    code: bytes
    tree: Tree
    steps: int


class _Reader:
    """A thread's own parser, and what it read last: most texts are the one before with another letter."""

    def __init__(self) -> None:
        self.parser = Parser(LANGUAGE)
        self.last: _Read | None = None


@remembered(16)
def _reader(thread: int) -> _Reader:
    """A thread's own: one that asks for its text piece by piece lets other threads run in between.

    It keeps parts of the trees that it has made, so it is let go of with all else that is remembered.
    """
    return _Reader()


_SHORT = 2048  # bytes; nothing so short takes long, and the texts of nodes are quicker to get where steps are not told
_MOST_KEPT = 1 << 16  # bytes of a text whose tree is kept: that takes some 70 times as much
_MOST_EDITED = 1024  # bytes that are read again with what is around them
_PIECE = 512  # bytes; for the text of a node a whole one is read
# The parser tells of itself once in some 160 bytes of code, in broken code in some 70.
_FEWEST_STEPS, _BYTES_A_STEP = 500, 8
TextOf = Callable[[Node], str]  # the text of a node


def parse(code: bytes) -> Node:
    """Raises TooLarge where the grammar tries too many readings of what it does not know."""
    reader = _reader(threading.get_ident())
    if len(code) <= _SHORT:
        return reader.parser.parse(code).root_node
    read = _read_again(reader, code) or _read(reader.parser, code)
    if read is None:
        raise TooLarge
    if len(code) <= _MOST_KEPT and not read.tree.root_node.has_error:
        reader.last = read
    return read.tree.root_node


def _read_again(reader: _Reader, code: bytes) -> _Read | None:
    """Only what an edit can have changed, where the text was and is without an error: then the tree is the one that
    the whole text makes. None: it has to be read whole."""
    last = reader.last
    if last is None or abs(len(code) - len(last.code)) > _MOST_EDITED:
        return None
    head, tail = shared_bytes(last.code, code)
    end, stop = len(last.code) - tail, len(code) - tail
    if max(end, stop) - head > _MOST_EDITED:
        return None
    edited = last.tree.copy()
    at = (_point(last.code, head), _point(last.code, end), _point(code, stop))
    edited.edit(head, end, stop, *at)
    read = _read(reader.parser, code, edited, last.steps)
    return read if read is not None and not read.tree.root_node.has_error else None


def _point(code: bytes, at: int) -> Point:
    return Point(code.count(b"\n", 0, at), at - code.rfind(b"\n", 0, at) - 1)


def _read(parser: Parser, code: bytes, before: Tree | None = None, taken: int = 0) -> _Read | None:
    """`before`: its tree before an edit, given up at the first error. `taken`: the steps that it took.

    None: it is given up, or takes too many steps.
    """
    steps = taken
    pieces = _PIECES.two
    parsing = True

    def is_enough(offset: int, has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > _FEWEST_STEPS + len(code) // _BYTES_A_STEP or (has_error and before is not None)

    def piece(offset: int, point: Point) -> bytes | bytearray:
        if not parsing:  # the text of a node has to be bytes
            return code[offset : offset + _PIECE]
        # tree-sitter 0.26 never lets go of what the parser is given: it is given the same two all the time.
        pieces.reverse()
        pieces[0][:] = code[offset : offset + _PIECE]
        return pieces[0]

    try:
        if before is None:
            tree = parser.parse(piece, progress_callback=is_enough)
        else:
            tree = parser.parse(piece, before, progress_callback=is_enough)
        return _Read(code, tree, steps)
    except ValueError:
        parser.reset()
        return None
    finally:
        parsing = False


def walk(root: Node) -> list[Node]:
    """Every named node under `root`, itself first. Leaves are not asked for children: this runs on every key."""
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        found.append(node)
        if node.named_child_count:
            stack += node.named_children[::-1]
    return found


def text(node: Node) -> str:
    """For short code without `Nodes`."""
    return (node.text or b"").decode("utf-8", "replace")


def span(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def indices_of(element: Node) -> list[Node]:
    """What stands between the brackets of `a[i]`."""
    found = element.child_by_field_name("indices") or element.child_by_field_name("index")
    if found is None:
        return []
    return found.named_children if found.type == "subscript_argument_list" else [found]
