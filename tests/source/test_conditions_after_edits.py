"""What conditions of the preprocessor say where macros come and go above and below: what they say in a fresh file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA

_LINES = (
    "#define A",
    "#define A 2",
    "#define B A",
    "#undef A",
    "#ifdef A",
    "#ifndef A",
    "#if defined(A) && !defined(B)",
    "#if B > 1",
    "#if A(1)",
    "#define A(x) x",
    "#else",
    "#endif",
    "#ifdef NOWHERE",
    "__global__ void k(float *p) { __shared__ float a[4]; a[0] = *p; *p = a[1]; }",
    "__global__ void l(float *p) { *p = 1; }",
)
_line = st.sampled_from(_LINES)
_Edit = tuple[int, int, str]  # where, how many lines go, and what comes


def _said(source: Source) -> list[tuple[object, ...]]:
    facts = source.facts({})
    return [(it.name, source.start_of(it.item), it.conditional, it.local.lowest) for it in facts.kernels]


@given(st.lists(_line, max_size=14), st.lists(st.tuples(st.integers(0, 14), st.integers(0, 2), _line), max_size=8))
def test_conditions_say_what_they_say_in_a_fresh_file(lines: list[str], edits: list[_Edit]) -> None:
    now = [*lines]
    source = Source(_text(now), CUDA)
    assert _said(source) == _said(Source(_text(now), CUDA))
    for at, gone, new in edits:
        at = min(at, len(now))
        above, come = _text(now[:at]), _text([new])
        left = _text(now[at : at + gone])
        now[at : at + gone] = [new]
        source.replace(_text(now), len(above), len(above) + len(left), len(above) + len(come))
        assert _said(source) == _said(Source(_text(now), CUDA))


def _text(lines: list[str]) -> bytes:
    return "".join(f"{it}\n" for it in lines).encode()
