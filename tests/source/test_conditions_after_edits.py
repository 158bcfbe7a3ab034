"""What conditions of the preprocessor say where macros come and go above and below: what they say in a fresh file."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.sema.translation_unit import NOTHING, UnitContext

_KERNEL = "__global__ void k(float *p) { __shared__ float a[4]; a[0] = *p; *p = a[1]; }"
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
    "#undef B",
    _KERNEL,
    "__global__ void l(float *p) { *p = 1; }",
)
_line = st.sampled_from(_LINES)
_Edit = tuple[int, int, str]  # where, how many lines go, and what comes


_UNITS = NOTHING, replace(NOTHING, settable=frozenset({"NOWHERE"}))


def _said(source: Source, unit: UnitContext) -> list[tuple[object, ...]]:
    """Of the kernels, and where those stand that only another build has."""
    facts = source.facts({}, (unit,))
    kernels = [(it.name, source.start_of(it.item), it.conditional, it.summary.local.lowest) for it in facts.kernels]
    return [*kernels, *((source.start_of(it.item), it.start) for it in facts.hidden_kernels)]


@pytest.mark.parametrize("unit", _UNITS, ids=["any build", "a known build"])
@given(st.lists(_line, max_size=14), st.lists(st.tuples(st.integers(0, 14), st.integers(0, 2), _line), max_size=8))
@example(["#define A", "#ifdef A", "#undef B", "#endif", "#ifdef B", _KERNEL, "#endif"], [(0, 1, _LINES[-1])])
def test_conditions_say_what_they_say_in_a_fresh_file(unit: UnitContext, lines: list[str], edits: list[_Edit]) -> None:
    now = [*lines]
    source = Source(_text(now), CUDA)
    assert _said(source, unit) == _said(Source(_text(now), CUDA), unit)
    for at, gone, new in edits:
        at = min(at, len(now))
        above, come = _text(now[:at]), _text([new])
        left = _text(now[at : at + gone])
        now[at : at + gone] = [new]
        source.replace(_text(now), len(above), len(above) + len(left), len(above) + len(come))
        assert _said(source, unit) == _said(Source(_text(now), CUDA), unit)


def _text(lines: list[str]) -> bytes:
    return "".join(f"{it}\n" for it in lines).encode()
