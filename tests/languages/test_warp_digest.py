"""The digests of kernels of Warp, against those that Warp itself gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from occupancy_lsp.languages.python.source import PythonSource
from occupancy_lsp.languages.python.warp import resolve
from occupancy_lsp.languages.registry import LANGUAGES

_DATA = Path(__file__).parents[1] / "data" / "warp"


def digests(source: str) -> dict[str, str]:
    text = PythonSource(source.encode(), LANGUAGES["warp"].dialect, resolve)
    return {it.name: it.digest for it in text.facts({}).kernels}


def test_a_digest_is_what_warp_gives_it_or_not_known() -> None:
    given = json.loads((_DATA / "digests.json").read_text())
    found = digests((_DATA / "kernels.py").read_text())
    known = {name: it for name, it in found.items() if it}
    assert known == {name: given[name] for name in known}
    assert len(known) > 0.7 * len(given)


def test_lines_may_end_otherwise() -> None:
    text = (_DATA / "kernels.py").read_text()
    assert digests(text.replace("\n", "\r\n")) == digests(text)


_KERNEL = "@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[wp.tid()] = {}\n"


@pytest.mark.parametrize(
    ("before", "worth"),
    [
        ("from other import f\n", "f(1.0)"),
        ("from other import N\n", "N"),
        ("N = choose()\n", "float(N)"),
        ("N = 1\nif X:\n    N = 2\n", "float(N)"),
        ("N = [1]\n", "N[0]"),
        ("def f(a: float):\n    return a\n", "f(1.0)"),
        ("@wp.func\ndef f(a: float):\n    return a\n\n@wp.func\ndef f(a: int):\n    return a\n", "f(1.0)"),
        ("@wp.func(name='g')\ndef f(a: float):\n    return a\n", "f(1.0)"),
        ("@wrap\n@wp.func\ndef f(a: float):\n    return a\n", "f(1.0)"),
        ("@wp.struct\nclass S:\n    a: float\n", "S().a"),
        ("", "wp.pi"),
        ("", "wp.PI"),
        ("", "wp.static(1.0)"),
        ("", "wp.config.block"),
    ],
)
def test_what_is_not_known_gives_none(before: str, worth: str) -> None:
    assert digests(f"import warp as wp\n\n{_KERNEL.format('1.0')}")["k"]
    assert digests(f"import warp as wp\n\n{before}\n{_KERNEL.format(worth)}") == {"k": ""}


@pytest.mark.parametrize("options", ["*o", "**o", "module='unique'", "name='k'", "launch_bounds=choose()"])
def test_options_that_are_not_known_give_none(options: str) -> None:
    source = _KERNEL.format("1.0").replace("wp.kernel", f"wp.kernel({options})")
    assert digests(f"import warp as wp\n\n{source}") == {"k": ""}
