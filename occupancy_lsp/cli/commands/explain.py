"""`explain`: a rule's page."""

from __future__ import annotations

import argparse

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.core.terminal import say_page
from occupancy_lsp.rules import page
from occupancy_lsp.rules.registry import RULES

# Pages for all rules: when less is faster, what helps beside occupancy, what each vendor calls things, and what
# compilers do that the source does not say.
MORE = ("lower-occupancy", "advice", "words", "surprises")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help=f"a rule's code, such as OCC101, or {' or '.join(MORE)}")


def run(options: argparse.Namespace) -> int:
    say_page(page_of(options.code))
    return 0


def page_of(asked: str) -> str:
    """In Markdown. Failed: there is no such rule."""
    code = next((it for it in (*(rule.code for rule in RULES), *MORE) if it.lower() == asked.lower()), None)
    if code is None:
        known = (f"  {rule.code}  {rule.summary}" for rule in RULES)
        raise Failed(f"no rule {asked!r}. Known are", *known)
    try:
        return page(code).read_text("utf-8").rstrip()
    except FileNotFoundError:
        raise Failed(f"the page {page(code)} is missing: install occupancy-lsp again.") from None
