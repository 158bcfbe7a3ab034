"""The one way to a terminal: strings are text, whoever wrote them, and only `Coloured` makes an escape sequence."""

from __future__ import annotations

import json
import os
import shutil
import sys
from itertools import accumulate
from typing import TextIO
from unicodedata import east_asian_width

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.visible import visible

_MOST_PASSING = 79  # columns: a line that wraps could not be replaced


@dataclass(frozen=True, slots=True)
class Coloured:
    """`colour`: the numbers of an SGR sequence, such as `1;31`."""

    text: str
    colour: str

    def __str__(self) -> str:
        return f"\x1b[{self.colour}m{visible(self.text)}\x1b[0m"


Part = str | Coloured


def say(*parts: Part, out: TextIO | None = None) -> None:
    """One line, whatever the text holds. `out`: standard output if not given."""
    line = "".join(visible(it) if isinstance(it, str) else str(it) for it in parts)
    print(line.rstrip(), file=out or sys.stdout)


def say_lines(text: str) -> None:
    """The lines of a text that was laid out here."""
    for line in text.rstrip("\n").split("\n"):
        say(line)


def say_json(value: object, indent: int | None = None, flush: bool = False, out: TextIO | None = None) -> None:
    """JSON in ASCII: what is not is escaped as JSON has it."""
    print(json.dumps(value, indent=indent), flush=flush, file=out or sys.stdout)


class GrowingJson:
    """An object whose first member is a list that is written as it grows: the text that `say_json` with an indent of 1
    makes of the whole."""

    def __init__(self, name: str) -> None:
        self._before = f"{{\n {json.dumps(name)}: ["

    def add(self, *elements: object) -> None:
        for it in elements:
            text = json.dumps(it, indent=1).replace("\n", "\n  ")
            print(f"{self._before}\n  {text}", end="", flush=True)
            self._before = ","

    def end(self, **rest: object) -> None:
        """`rest`: the object's further members."""
        closing = "\n ]" if self._before == "," else f"{self._before}]"
        print(f"{closing},{json.dumps(rest, indent=1)[1:]}")


def say_page(text: str) -> None:
    """A page of our own documentation in Markdown: laid out on a terminal, as it is anywhere else."""
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from occupancy_lsp.core import page

        console, shown = page.laid_out(text, shutil.get_terminal_size().columns)
        console.print(shown)
    else:
        say_lines(text)


def complain(message: object) -> None:
    """One line on standard error."""
    say(str(message), out=sys.stderr)


class Passing:
    """A line on standard error that the next one replaces; nothing where nobody watches: in a pipe, or in CI."""

    def __init__(self) -> None:
        watched = sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"
        self._most = min(shutil.get_terminal_size().columns - 1, _MOST_PASSING) if watched else 0
        self._shown = False

    def show(self, text: str) -> None:
        if self._most:
            print(f"\r{_cut(visible(text), self._most)}\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = bool(text)

    def clear(self) -> None:
        if self._shown:
            self.show("")


def _cut(text: str, columns: int) -> str:
    """What of it fits: ideographs take two columns each."""
    ends = accumulate(1 + (east_asian_width(it) in "WF") for it in text)
    return text[: sum(end <= columns for end in ends)]
