"""Prose as Markdown (CommonMark with GitHub's tables) that reads well where it is shown as it is written, too."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from html import escape
from itertools import groupby
from urllib.parse import quote

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.table import padded
from occupancy_lsp.core.visible import visible
from occupancy_lsp.features.prose import (
    Block,
    Bold,
    Bullets,
    Cell,
    Code,
    Folded,
    Inline,
    Line,
    Link,
    Picture,
    Prose,
    Run,
    Runs,
    Table,
)

# What would be read as markup: escapes, code, emphasis but for a lone star, links, HTML, character references, struck
# text, and what some take for an address.
_MARKUP = regex(
    r"""\\(?![A-Za-z0-9\s]) | [`\[\]~@] | (?<!\s)\* | \*(?!\s) | (?<![A-Za-z0-9])_ | _(?![A-Za-z0-9])
    | <(?![\s\d=<]) | &(?![\s\d=&]) | :(?=//) | (?<=www)\. | !\Z""",
    re.VERBOSE | re.IGNORECASE,
)
# What would make a heading, a quotation, a list or a rule of the text's beginning, behind digits.
_START = regex(r"(\d{0,9})(?:[#>]|[*+-](?:\s|\Z)|---|(?<=\d)[.)](?:\s|\Z))")
_TICKS = regex("`+")
# What addresses leave as it is, and is read as markup by those that take no address of a file for one.
_IN_ADDRESS = regex(r"~|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class Reader:
    """What shows the Markdown. `pictures`: images of data URIs. `runs_of`: the document's URI, where it runs commands.
    `folds`: `<details>` and `<summary>`."""

    pictures: bool = False
    runs_of: str = ""
    folds: bool = False


_PLAIN = Reader()


def markdown(prose: Prose, reader: Reader = _PLAIN) -> str:
    shown = (it for it in prose if reader.runs_of or not isinstance(it, Runs))
    return "\n\n".join(_block(block, reader) for block in shown)


def _block(block: Block, reader: Reader) -> str:
    match block:
        case Runs(each):
            return " · ".join(_run(it, reader.runs_of) for it in each)
        case Picture(svg, text):
            data = b64encode(svg.encode()).decode("ascii")
            return f"![{_text(text)}](data:image/svg+xml;base64,{data})" if reader.pictures else _code(visible(text))
        case Folded(title, blocks):
            return _folded(title, markdown(blocks, reader), reader.folds)
        case str():
            return _line((block,))
        case Bullets(lines):
            return "\n".join(f"- {_line(line)}" for line in lines)
        case Table(head, rows):
            return _table([tuple(map(_cell, row)) for row in (head, *rows)])
        case _:
            return _line(block)


def _folded(title: str, text: str, folds: bool) -> str:
    """Blank lines end what is HTML: what stands between is Markdown again."""
    return f"<details><summary>{escape(title)}</summary>\n\n{text}\n\n</details>" if folds else f"---\n\n{text}"


def _run(run: Run, uri: str) -> str:
    given = "" if run.given is None else f"?{quote(json.dumps([uri, *run.given]), safe='')}"
    return f"[{_text(run.text)}](command:{run.command}{given})"


def _line(line: Line) -> str:
    """One line, of which nothing is taken for a block's beginning."""
    runs = groupby(line, lambda it: isinstance(it, str))  # what is markup may be so by the string beside it
    found = "".join(_text("".join(map(str, run))) if text else "".join(map(_inline, run)) for text, run in runs).strip()
    start = _START.match(found) if line and isinstance(line[0], str) else None
    return f"{start[1]}\\{found[start.end(1) :]}" if start else found


def _inline(inline: Inline) -> str:
    match inline:
        case Bold(text):
            return f"**{_text(text.strip())}**" if text.strip() else ""
        case Code(text):
            return _code(visible(text))
        case Link(text, url):
            return f"[{_text(text)}](<{_IN_ADDRESS.sub(lambda it: f'%{ord(it[0]):02X}', url)}>)"
        case str():
            return _text(inline)


def _text(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", visible(text))


def _code(text: str) -> str:
    """In more backticks than stand in it; a blank on both sides is no part of it."""
    ticks = "`" * (1 + max(map(len, _TICKS.findall(text)), default=0))
    blank = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{ticks}{blank}{text}{blank}{ticks}"


def _cell(cell: Cell) -> str:
    return _inline(cell).replace("|", r"\|")


def _table(rows: list[tuple[str, ...]]) -> str:
    """With columns that stand straight."""
    cells = padded(rows)
    lines = [" | ".join(row) for row in cells]
    rule = "|".join("-" * (len(cell) + 2) for cell in cells[0])
    return "\n".join([f"| {lines[0]} |", f"|{rule}|", *(f"| {line} |" for line in lines[1:])])
