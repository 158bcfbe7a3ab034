"""A page of our own documentation, in Markdown, as a terminal shows it. Imported only where one is: it takes long."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement, TableElement
from rich.table import Table
from rich.theme import Theme

from occupancy_lsp.core.regex import regex

_WIDEST = 120  # columns
_LINK = regex(r"\[([^\]\n]+)\]\((?!https?:)[^)\s]*\)")  # into the documentation: leads nowhere from a terminal
_THEME = Theme({"markdown.code": "cyan", "markdown.h1": "bold underline"})  # with light and dark backgrounds


class _Heading(Heading):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        yield self.text


class _Table(TableElement):
    """Long words are broken, never cut."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                for column in table.columns:
                    column.overflow = "fold"
            yield table


class _Page(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "table_open": _Table,
    }


def laid_out(text: str, columns: int) -> tuple[Console, Markdown]:
    """Standard output, and the page in so many columns at most; in colour unless `NO_COLOR` is set."""
    console = Console(width=min(columns, _WIDEST), highlight=False, theme=_THEME)
    return console, _Page(_LINK.sub(r"\1", text), code_theme="ansi_light")
