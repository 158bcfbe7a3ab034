"""`explain`: a rule's page."""

from __future__ import annotations

import argparse

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.core.terminal import say_page
from occupancy_lsp.rules import page
from occupancy_lsp.rules.registry import RULES

# Pages for all rules: when less is faster, what helps beside occupancy, and what each vendor calls things.
MORE = ("lower-occupancy", "advice", "words")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help=f"a rule's code, such as OCC101, or {' or '.join(MORE)}")


def run(options: argparse.Namespace) -> int:
    code = next((it for it in (*(rule.code for rule in RULES), *MORE) if it.lower() == options.code.lower()), None)
    if code is None:
        known = (f"  {rule.code}  {rule.summary}" for rule in RULES)
        raise Failed(f"no rule {options.code!r}. Known are", *known)
    try:
        say_page(page(code).read_text("utf-8").rstrip())
    except FileNotFoundError:
        raise Failed(f"the page {page(code)} is missing: install occupancy-lsp again.") from None
    return 0
