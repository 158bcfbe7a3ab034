"""Prose: what a hover or a tooltip says. A string is text, never markup; how it looks, a node beside it says.

So a file's name with Markdown in it is shown as it is, wherever it comes by. `markdown` and `plain` write it all down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from occupancy_lsp.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Bold:
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """`url`: one of ours. `aside`: without it nothing is to be said; a blank that stands before goes, too."""

    text: str
    url: str
    aside: bool = False


Inline = str | Bold | Code | Link
Line = tuple[Inline, ...]
Cell = str | Bold | Code


@dataclass(frozen=True, slots=True)
class Bullets:
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """`svg`: for who can show it. `text`: what others read in its place, in a line."""

    svg: str
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """`command`: of the editor. `given`: what it is run with, after the document's URI; None: with neither."""

    text: str
    command: str
    given: tuple[int | str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Runs:
    """What a reader can have done, for clients that let a text run commands; nothing for the others."""

    each: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """What few readers need: shown when `title` is clicked, where that can be, else below all that comes before."""

    title: str
    blocks: tuple[Block, ...]


Block = str | Line | Bullets | Table | Picture | Runs | Folded  # a paragraph is a string or a line
Prose = tuple[Block, ...]


def prose(*parts: Block) -> Prose:
    """The blocks that say something."""
    return tuple(part for part in parts if part)


def bullets(lines: Iterable[str | Line]) -> Bullets | str:
    """Nothing of no lines."""
    found = tuple((it,) if isinstance(it, str) else it for it in lines)
    return Bullets(found) if found else ""


def between(separator: str, parts: Iterable[Inline]) -> Iterator[Inline]:
    for number, part in enumerate(parts):
        if number:
            yield separator
        yield part


def unlinked(said: Prose) -> Prose:
    """For elsewhere: a link's words alone, as its address is of this machine."""
    return tuple(_unlinked(block) for block in said if not only_links(block))


def only_links(block: Block) -> bool:
    """A paragraph that is nothing but links: without them nothing is left to say."""
    if isinstance(block, Folded):
        return all(map(only_links, block.blocks))
    return isinstance(block, Runs) or (isinstance(block, tuple) and len(block) == 1 and isinstance(block[0], Link))


def _unlinked(block: Block) -> Block:
    match block:
        case Bullets(lines):
            return Bullets(tuple(map(_words, lines)))
        case Folded(title, blocks):
            return Folded(title, unlinked(blocks))
        case tuple():
            return _words(block)
        case _:
            return block


def _words(line: Line) -> Line:
    return tuple(it.text if isinstance(it, Link) else it for it in without_asides(line))


def without_asides(line: Line) -> Line:
    kept: list[Inline] = []
    for it in line:
        if not (isinstance(it, Link) and it.aside):
            kept.append(it)
        elif kept and kept[-1] == " ":
            kept.pop()
    return tuple(kept)
