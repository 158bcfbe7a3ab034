"""A file whose braces do not balance, as while one is being typed: how it is laid out tells where functions end.

So a lone brace costs the function that it stands in, and not the namespaces around all that follows. Of a file whose
braces balance the layout says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from occupancy_lsp.source.lex.top_level_scanner import (
    TopLevelPiece,
    column_of,
    scan_piece,
    skip_blank_lines,
    skip_trivia,
)

_MOST_SPLITS = 16  # of a file; each reads what is left of a piece again
_MOST_SURPLUS = 16  # braces; more nobody types before the file is whole again
_MOST_BETWEEN = 500  # pieces that a broken function falls into


def rebalance_pieces(pieces: Sequence[TopLevelPiece], kernel_words: tuple[bytes, ...]) -> Sequence[TopLevelPiece]:
    """The same text in other pieces, or the same ones where they balance or nothing is told."""
    depth = sum(it.depth for it in pieces)
    if depth > 0:
        cut = _split_by_layout(pieces, depth, kernel_words, functions=True)
        left = sum(it.depth for it in cut)
        return _split_by_layout(cut, left, kernel_words, functions=False) if left > 0 else cut
    return _merge_surplus_braces(pieces, -depth) if -_MOST_SURPLUS <= depth < 0 else pieces


def _split_by_layout(
    pieces: Sequence[TopLevelPiece], depth: int, kernel_words: tuple[bytes, ...], functions: bool
) -> Sequence[TopLevelPiece]:
    """Functions, or else types and whatever is no function, end where their layout says, as long as more braces are
    opened than closed."""
    found: list[TopLevelPiece] = []
    left = _MOST_SPLITS
    todo = [*reversed(pieces)]
    while todo:
        piece = todo.pop()
        if piece.split is None or piece.function != functions or depth <= 0 or not left:
            found.append(piece)
            continue
        left -= 1
        end = skip_blank_lines(piece.text, piece.split)
        rest = [*_rescan_pieces(piece.text, end, kernel_words)]
        depth += sum(it.depth for it in rest) - piece.depth
        found.append(TopLevelPiece("code", piece.text[:end], 0, functions))
        todo += reversed(rest)
    return found


def _rescan_pieces(text: bytes, start: int, kernel_words: tuple[bytes, ...]) -> Iterator[TopLevelPiece]:
    while start < len(text):
        piece = scan_piece(text, start, kernel_words)
        yield piece
        start += len(piece.text)


def _merge_surplus_braces(pieces: Sequence[TopLevelPiece], surplus: int) -> Sequence[TopLevelPiece]:
    """Functions reach to the brace that their layout says, where one before has closed them already."""
    found: list[TopLevelPiece] = []
    for piece in pieces:
        start = _index_of_function_closed_by(piece, found) if surplus and piece.kind == "close" else None
        if start is None:
            found.append(piece)
        else:
            text = b"".join(it.text for it in (*found[start:], piece))
            found[start:] = [TopLevelPiece("code", text, 0, True)]
            surplus -= 1
    return found


def _index_of_function_closed_by(brace: TopLevelPiece, before: Sequence[TopLevelPiece]) -> int | None:
    """The index of the function whose head stands in the brace's column, if all code between stands further right."""
    nearest = range(len(before) - 1, max(len(before) - _MOST_BETWEEN, 0) - 1, -1)
    code = [index for index in nearest if before[index].kind not in ("comment", "directive")]
    if not code:
        return None
    between = b"".join(it.text for it in before[code[0] + 1 :]) + brace.text[: skip_trivia(brace.text, 0)]
    column = _column_of_surplus_brace(before[code[0]].text, between)
    if column is None:
        return None
    for index in code:
        at = _column_of_first_token(before, index)
        if at is not None and at <= column:
            return index if before[index].function and at == column else None
    return None


def _column_of_first_token(pieces: Sequence[TopLevelPiece], index: int) -> int | None:
    """Of the first token of one of the pieces; None: something else stands before it in its line."""
    before, text = pieces[index - 1].text[-1:] if index else b"\n", pieces[index].text
    return column_of(before + text, skip_trivia(text, 0) + 1, 1)


def _column_of_surplus_brace(text: bytes, between: bytes) -> int | None:
    """Where the line starts in which a brace closes something that `text` has closed; None: it may be right."""
    line = _last_line(text + between)
    last = _last_line(text.rstrip())
    column = len(line) - len(line.lstrip())
    closed = last.count(b"}") - last.count(b"{")
    again = closed > (0 if line.strip() else 1)
    return column if again or len(last) - len(last.lstrip()) > column else None


def _last_line(text: bytes) -> bytes:
    return text[text.rfind(b"\n") + 1 :]
