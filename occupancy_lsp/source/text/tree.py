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
)

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.text.limits import Steps, TooLarge
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


@remembered(16)
def _parser(thread: int) -> Parser:
    """A thread's own: one that asks for its text piece by piece lets other threads run in between.

    It keeps parts of the trees that it has made, so it is let go of with all else that is remembered.
    """
    return Parser(LANGUAGE)


_SHORT = 2048  # bytes; nothing so short takes long, and the texts of nodes are quicker to get where steps are not told
_PIECE = 512  # bytes; for the text of a node a whole one is read
# The parser tells of itself once in some 160 bytes of code, in broken code in some 70.
_FEWEST_STEPS, _BYTES_A_STEP = 500, 8
TextOf = Callable[[Node], str]  # the text of a node


def parse(code: bytes) -> Node:
    """Raises TooLarge where the grammar tries too many readings of what it does not know."""
    parser = _parser(threading.get_ident())
    if len(code) <= _SHORT:
        return parser.parse(code).root_node
    steps = Steps(_FEWEST_STEPS + len(code) // _BYTES_A_STEP)
    pieces = _PIECES.two
    parsing = True

    def is_enough(offset: int, has_error: bool) -> bool:
        return not steps.left_after(1)

    def piece(offset: int, point: Point) -> bytes | bytearray:
        if not parsing:  # the text of a node has to be bytes
            return code[offset : offset + _PIECE]
        # tree-sitter 0.26 never lets go of what the parser is given: it is given the same two all the time.
        pieces.reverse()
        pieces[0][:] = code[offset : offset + _PIECE]
        return pieces[0]

    try:
        return parser.parse(piece, progress_callback=is_enough).root_node
    except ValueError:
        parser.reset()
        raise TooLarge from None
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
