"""`explain` at a terminal, and in a pipe."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from occupancy_lsp.rules import page
from tests.cli.support import occupancy
from tests.cli.terminal import at_a_terminal

ESCAPES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")  # colours and links


def shown(folder: Path, code: str, **env: str) -> str:
    status, said, _ = at_a_terminal(folder, "explain", code, env=env)
    assert status == 0
    return said.decode().replace("\r\n", "\n")


def test_markup_is_rendered(tmp_path: Path) -> None:
    said = shown(tmp_path, "OCC101")
    assert said.startswith("\x1b[1;4mOCC101: minBlocks cannot be reached: shared memory allows fewer\x1b[0m")
    text = ESCAPES.sub("", said)
    assert "The second argument of __launch_bounds__ asks" in text
    assert not re.search(r"\*\*|`|^#|\]\(", text, re.MULTILINE)


@pytest.mark.parametrize("code", ["words", "OCC107", "advice"])
def test_nothing_of_a_page_is_lost(tmp_path: Path, code: str) -> None:
    """However narrow: each letter of the source is there, in another order where a table's cells break."""
    said = ESCAPES.sub("", shown(tmp_path, code, COLUMNS="60"))
    assert max(map(len, said.splitlines())) <= 60
    source = re.sub(r"\]\([^)]*\)|^```.*$", "", page(code).read_text("utf-8"), flags=re.MULTILINE)
    letters = re.sub(r"[^a-z0-9]", "", source.lower())
    assert sorted(re.sub(r"[^a-z0-9]", "", said.lower())) == sorted(letters)


def test_colours_are_for_those_who_want_them(tmp_path: Path) -> None:
    assert not re.search(r"\x1b\[[0-9;]*3\dm", shown(tmp_path, "OCC101", NO_COLOR="1"))


def test_a_pipe_gets_the_text_as_it_is(tmp_path: Path) -> None:
    text = page("OCC101").read_text("utf-8").rstrip() + "\n"
    assert occupancy("explain", "OCC101").out == text
    assert shown(tmp_path, "OCC101", TERM="dumb") == text
