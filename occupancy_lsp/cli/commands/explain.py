"""`explain`: a rule's page."""

from __future__ import annotations

import argparse
import re

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.table import aligned
from occupancy_lsp.core.terminal import say, say_page
from occupancy_lsp.rules import page
from occupancy_lsp.rules.registry import RULES
from occupancy_lsp.yamlfile.types import did_you_mean

_NUMBER = regex(r"(?:occ)?(\d{1,3})", re.IGNORECASE)
# Pages for all rules: when less is faster, what helps beside occupancy, what each vendor calls things, and what
# compilers do that the source does not say.
MORE = ("lower-occupancy", "advice", "words", "surprises")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code",
        nargs="?",
        metavar="CODE",
        help=f"a rule's code, such as OCC101 or 101, or {' or '.join(MORE)} (default: list the rules)",
    )


def run(options: argparse.Namespace) -> int:
    if options.code is None:
        for line in aligned([(rule.code, rule.summary) for rule in RULES]):
            say(line)
    else:
        say_page(page_of(options.code))
    return 0


def page_of(asked: str) -> str:
    """In Markdown. Failed: there is no such rule."""
    known = (*(rule.code for rule in RULES), *MORE)
    number = _NUMBER.fullmatch(asked)
    wanted = f"occ{int(number[1]):03}" if number else asked.lower()
    code = next((it for it in known if it.lower() == wanted), None)
    if code is None:
        near = did_you_mean(wanted, MORE) or "."
        raise Failed(f"there is no rule {asked!r}{near} `occupancy-lsp explain` lists all: {', '.join(known)}.")
    try:
        return page(code).read_text("utf-8").rstrip()
    except FileNotFoundError:
        raise Failed(f"the page {page(code)} is missing: install occupancy-lsp again.") from None
