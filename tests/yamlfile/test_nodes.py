"""Places of values in YAML text."""

from __future__ import annotations

import pytest

from occupancy_lsp.yamlfile.nodes import place_of

_NESTED = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 20)}]\n" for n in range(1, 12))


@pytest.mark.parametrize("before", ["x: &a [*a]\n", "x: &a {y: *a}\n", _NESTED], ids=["list", "mapping", "nested"])
def test_aliases_are_followed_once(before: str) -> None:
    """One that leads to itself ends, and 20 ** 11 paths to one node take no time."""
    text = f"{before}b: {{kernel: k, most: 12}}\n".encode()
    at = text.index(b"12")
    line = before.count("\n") + 1
    assert place_of(text, line, len("b: {kernel: ") + 1, "most") == (at, at + 2)
    assert place_of(text, line, 1, "most") is None
