"""What functions leave in a `dim3` that they take by reference."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA

_HEAD = "const int T = 32; void dims(dim3& g, dim3& b, int n)"


def threads(function: str, body: str) -> int | None:
    source = f"{function}\n__global__ void k();\nvoid h(int n) {{ dim3 g, b; {body} k<<<g, b>>>(); }}\n"
    return Source(source.encode(), CUDA).facts({}).launches[-1].size.number


@pytest.mark.parametrize(
    ("function", "value"),
    [
        ("{ b.x = 2 * T; g.x = n / b.x; }", 64),
        ("{ b.x = T; b.y = 4; if (n % b.x) n++; g.x = n; }", 128),
        ("{ b.x = 16; b.x = T; }", 32),
        ("{ b.x = T; print(b); }", None),
        ("{ b.x = n; }", None),
        ("{ b.x += T; }", None),
        ("{ if (n) b.x = T; }", None),
        ("{ b.x = T; if (n) b.y = 4; }", None),
        ("{ if (n) return; b.x = T; }", None),
        ("{ b.x = T; return; }", 32),
        ("{ CHECK(n); b.x = T; }", None),
        ("{ b.x = T; dim3& r = b; r.x = n; }", None),
        ("{ b.x = T; keep(&b); }", None),
        ("{ auto set = [&] { b.x = n; }; b.x = T; set(); }", None),
        ("{ b.x = T;\n#ifdef A\nb.x = 8;\n#endif\n}", None),
        ("; void dims(dim3& g, dim3& b, float n) { b.x = T; }", None),
        ("{ b.x = T; } void dims(dim3& g, dim3& b, float n) { b.x = 8; }", None),
    ],
)
def test_what_the_function_says(function: str, value: int | None) -> None:
    assert threads(f"{_HEAD} {function}", "dims(g, b, n);") == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("b.z = 2; size::dims(g, b, n);", 64),
        ("dims(g, b, n); b.y = 4;", None),  # whoever has a reference may change it again
        ("dims(g, b, n); dims(g, b, 2 * n);", 32),
        ("dims(b, b, n);", None),
        ("if (n) dims(g, b, n);", None),
        ("for (int i = 0; i < n; i++) { k<<<g, b>>>(); dims(g, b, i); }", None),
        ("keep(b); dims(g, b, n);", None),
        ("n = 2, dims(g, b, n);", 32),
        ("own.dims(g, b, n);", None),
    ],
)
def test_where_it_is_called(body: str, value: int | None) -> None:
    assert threads(f"{_HEAD} {{ b.x = T; }}", body) == value
