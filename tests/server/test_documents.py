"""Text as the client has it, kept as bytes."""

import pytest
from lsprotocol import types as t

from occupancy_lsp.core.text import Text
from occupancy_lsp.server import convert
from occupancy_lsp.server.documents import to_bytes
from occupancy_lsp.server.paths import to_path, to_uri


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain", "plain"),
        ("a\ud800b", "a\ufffdb"),
        ("\udc00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\0", "\0"),
    ],
)
def test_to_bytes(text: str, kept: str) -> None:
    assert to_bytes(text).decode() == kept


def test_spans_are_in_order_and_in_range() -> None:
    text = Text(b"abc\ndef")
    reversed_range = t.Range(t.Position(9, 9), t.Position(0, 1))
    assert convert.span(text, reversed_range, "utf-16") == (1, 7)


@pytest.mark.parametrize("only", [None, [], [""], ["refactor"], ["quickfix", "refactor.rewrite"]])
def test_kinds_that_are_wanted(only: list[str] | None) -> None:
    assert convert.wanted("refactor.rewrite", only)


@pytest.mark.parametrize("only", [["quickfix"], ["refactor.rewrite.more"], ["refac"]])
def test_kinds_that_are_not(only: list[str]) -> None:
    assert not convert.wanted("refactor.rewrite", only)


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "", "git:/a.cu", "file://[", "file:///a%00b"])
def test_what_is_on_no_disk_has_no_path(uri: str) -> None:
    assert to_path(uri) is None


def test_paths_survive() -> None:
    path = to_path("file:///tmp/a%20b/%C3%BC%23%3F%25.cu")
    assert path is not None
    assert to_path(to_uri(path)) == path
