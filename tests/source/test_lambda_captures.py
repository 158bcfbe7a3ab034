"""What a lambda captures under a name of its own, held against runs of what nvcc 13.0 makes of it."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA


def _threads(body: str) -> set[int | None]:
    text = f"__global__ void k() {{}}\nconstexpr int w = 64;\nint main() {{ const int b = 64; {body} }}"
    return {it.size.number for it in Source(text.encode(), CUDA).facts({}).launches}


@pytest.mark.parametrize(
    ("body", "threads"),
    [
        ("[b = b / 32]{ k<<<1, b>>>(); }();", 2),
        ("auto f = [w = w + 1]{ auto g = [w = w * 2]{ k<<<1, w>>>(); }; g(); }; f();", 130),
        ("[b = dim3(4, 4)]{ k<<<1, b>>>(); }();", 16),
        ("[b = 8](int n) { k<<<1, b>>>(); }(1); ", 8),
        ("[b = 8]{}(); k<<<1, b>>>();", 64),
        ("int n = 3; auto f = [n = n * 2]{ k<<<1, n>>>(); }; n = 100; f();", 6),
    ],
)
def test_its_own_variable_hides_the_one_further_out(body: str, threads: int) -> None:
    assert _threads(body) == {threads}


@pytest.mark.parametrize(
    "body",
    [
        "auto f = [b = 8]() mutable { k<<<1, b>>>(); b *= 2; }; f(); f();",  # 8, 16
        "int n = 32; auto f = [&b = n]{ k<<<1, b>>>(); }; n = 96; f();",  # 96
        "int n = 32; auto f = [&m = n]{ m = 96; }; f(); k<<<1, n>>>();",  # 96
    ],
)
def test_what_may_change_is_not_known(body: str) -> None:
    assert _threads(body) == {None}
