"""Where the compiler may still choose the sub-group size: the same range in hint, hover, finding and best sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from occupancy_lsp.session.view import View
from tests.support import text_of, view_of

KERNEL = """{0}
__kernel {1} void k(__global float *p) {{
  __local float t[{2}];
  t[get_local_id(0)] = p[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_local_id(0)] = t[{2} - 1 - get_local_id(0)];
}}
"""
REQUIRED = "__attribute__((intel_reqd_sub_group_size(16)))"


def opened(folder: Path, device: str, said: str = "", attribute: str = "", floats: int = 16384) -> View:
    comment = f"// occupancy: {said}" if said else ""
    return view_of(KERNEL.format(comment, attribute, floats), device, path=folder / "k.cl")


def test_one_range_wherever_it_stands(tmp_path: Path) -> None:
    """64 KiB of local memory leave one work-group: of 64 threads, 2, 4 or 8 of 112 hardware threads."""
    view = opened(tmp_path, "iris-xe", "block=64")
    assert text_of(view.reports[0]) == "1.79–7.14% · SIMD?"
    said = [it.message for it in diagnostics(view) if it.code == "OCC201"]
    assert said == ["SLM limits residency to 1 work-group, 1.79–7.14%; ≤ 32 KiB has room for 2"]
    shown = repr(explain(view, 0))
    assert "between 1.79%" in shown and "Sub-group size: 8, 16 or 32 work-items: the compiler chooses" in shown
    at = view.span(view.reports[0].kernel.name_place)[0]
    assert "State the missing value: // occupancy: subgroup=" in [it.title for it in actions(view, at, at)]


@pytest.mark.parametrize(("width", "hint"), [(8, "7.14%"), (16, "3.57%"), (32, "1.79%")])
def test_stated(tmp_path: Path, width: int, hint: str) -> None:
    """In a comment, or a sidecar."""
    by_comment = opened(tmp_path, "iris-xe", f"block=64 subgroup={width}")
    (tmp_path / "k.cl.occupancy.yaml").write_text(f"kernels: {{k: {{subgroup: {width}}}}}\n")
    by_sidecar = opened(tmp_path, "iris-xe", "block=64")
    for view in (by_comment, by_sidecar):
        assert text_of(view.reports[0]) == f"{hint} · 1 WG/DSS · SLM"
        assert "Sub-group size" not in repr(explain(view, 0))


def test_sizes_that_there_are_not(tmp_path: Path) -> None:
    said = [it.message for it in diagnostics(opened(tmp_path, "arc-b580", "block=64 subgroup=8", floats=1024))]
    assert "a sub-group of xe2 has 16 or 32 work-items" in said


@pytest.mark.parametrize(
    ("attribute", "hint"),
    [("", "14.29–57.14% at 512 · SIMD?"), (REQUIRED, "28.57% at 512")],
)
def test_the_best_sizes_have_the_range_too(tmp_path: Path, attribute: str, hint: str) -> None:
    """With the size stated it is the same."""
    assert text_of(opened(tmp_path, "iris-xe", "", attribute).reports[0]) == hint
    known = text_of(opened(tmp_path, "iris-xe", "block=512", attribute).reports[0])
    assert known is not None and known.split(" · ")[0] == hint.split(" at ")[0]


def test_the_same_percentage_by_other_work_groups(tmp_path: Path) -> None:
    """1024 work-items: 64 threads of SIMD16 fill a B580's Xe-core once, 32 of SIMD32 twice."""
    view = opened(tmp_path, "arc-b580", "block=1024 barriers=0", floats=1)
    assert text_of(view.reports[0]) == "100% · 1–2 WG/Xe-core"
    assert "100% (1 work-group/Xe-core" in plain(explain(view, 0)) and "100% (2 work" in plain(explain(view, 0))


@pytest.mark.parametrize(
    ("word", "said", "hint"),
    [
        ("half", "block=128 regs=17", "62.5% · 5 WG/SP core · regs"),  # 10 waves of 64, of which two are a work-group
        ("full", "block=128 regs=17", "25% · 2 WG/SP core · regs"),
        ("", "block=128 regs=17", "25% · 2 WG/SP core · regs"),  # Mesa's rule: the wide one if the group is larger
        ("third", "block=128 regs=17", "25% · 2 WG/SP core · regs"),
    ],
)
def test_adreno_s_sub_group_size_is_a_word(tmp_path: Path, word: str, said: str, hint: str) -> None:
    attribute = f'__attribute__((qcom_reqd_sub_group_size("{word}")))' if word else ""
    source = f"// occupancy: {said}\n__kernel {attribute} void k(__global float *p) {{ p[get_global_id(0)] = 1; }}\n"
    assert text_of(view_of(source, "adreno-730", path=tmp_path / "k.cl").reports[0]) == hint
