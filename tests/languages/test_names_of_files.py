"""Which names a Python file imports and defines, without a parser: as a pattern says that looks at each line."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.languages.python.importing import defined_names, imported_names

_DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_IMPORTED = re.compile(r"^[ \t]*from[ \t]+\w+[ \t]+import[ \t]+(\w+)(?:[ \t]*,[ \t]*(\w+))?", re.MULTILINE)
_words = [
    "from m import a",
    "from m import a, b",
    "def f",
    "async def g",
    "class C",
    "def",
    "from",
    "x",
    " ",
    "\t",
    "\n",
]


@given(st.lists(st.sampled_from(_words), max_size=12).map("".join))
def test_only_what_stands_first_in_its_line_counts(text: str) -> None:
    content = text.encode()
    assert {*defined_names(content)} == {it[1] for it in _DEFINED.finditer(text)}
    assert {*imported_names(content)} >= {name for it in _IMPORTED.finditer(text) for name in it.groups() if name}


def test_a_statement_behind_another_imports_nothing() -> None:
    assert [*imported_names(b"from a import b\nx = 1; from c import d\n  from e import (f,\n  g)\n")] == ["b", "f", "g"]
