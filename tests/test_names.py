"""Names that a newcomer can read: files, classes and functions are called what the field calls them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "occupancy_lsp"
SOURCE = PACKAGE / "source"

# Words that meant something to nobody else, with what they gave way to.
PRIVATE = {
    "alike": "structural hash",
    "armed": "with local memory",
    "doubts": "possible changes",
    "handing": "wrapper call",
    "hanging": "dependent",
    "mattering": "relevant",
    "speaking": "relevant",
    "speaks": "relevant",
    "spoken": "relevant",
    "standing": "active text",
    "still": "unchanged",
}


def _names(body: list[ast.stmt]) -> Iterator[str]:
    for it in body:
        if isinstance(it, ast.FunctionDef | ast.ClassDef):
            yield it.name
        if isinstance(it, ast.ClassDef):
            yield from _names(it.body)


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z]+", re.sub(r"([A-Z])", r"_\1", name).lower())


def test_no_private_words() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {name}: say {PRIVATE[word]}"
        for path in sorted(SOURCE.rglob("*.py"))
        for name in (path.stem, *_names(ast.parse(path.read_text("utf-8")).body))
        for word in _words(name)
        if word in PRIVATE
    ]
    assert not found
