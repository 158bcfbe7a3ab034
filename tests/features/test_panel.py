"""The panel says of a kernel what `calc` computes, as it is and with what a person tries."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.calculator.calculate import answer
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import resolve
from occupancy_lsp.features.panel import Asked, Panel, panel
from occupancy_lsp.features.panel_apply import Apply, applicable
from occupancy_lsp.features.panel_text import panel_text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.presets import CATALOGUE
from tests.support import view_of

SAXPY = """\
// occupancy: regs=40
__global__ void saxpy(int n, float a, const float *x, float *y) {
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + s[threadIdx.x];
}
void run(int n, float *x) { saxpy<<<(n + 511) / 512, 512>>>(n, 2, x, x); }
"""
ADD = """\
// occupancy: regs=32
__global__ void add(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
void run(int n, float *x) { add<<<(n + 1023) / 1024, 1024>>>(n, x); }
"""


def shown(source: str, *devices: str, at: str = "", **asked: object) -> Panel:
    offset = source.index(at) if at else None
    found = panel(view_of(source, *devices), Asked(offset, **asked))  # type: ignore[arg-type]
    assert found is not None
    return found


def applied(source: str, kernel: str, **changes: str) -> Apply | None:
    return applicable(view_of(source), Asked(None, kernel, changes=changes))


def test_the_kernel_under_the_cursor() -> None:
    assert shown(SAXPY, at="if (i").kernel == "saxpy"
    assert shown(SAXPY, at="<<<").kernel == "saxpy"
    assert shown(SAXPY, kernel="saxpy").line == 2
    after = SAXPY + "int other;\n"
    assert panel(view_of(after), Asked(after.index("other"))) is None
    assert shown(after, at="other", kernel="saxpy").kernel == "saxpy"
    assert panel(view_of(SAXPY), Asked(None, "gone")) is None


def test_each_input_says_where_it_comes_from() -> None:
    fields = {it.key: it for it in shown(SAXPY, kernel="saxpy").fields}
    told = {key: (it.value, it.source) for key, it in fields.items() if it.value}
    assert told["group_size"] == ("512", "of the launch in this file")
    assert told["registers"] == ("40", "stated in a comment")
    assert told["static_local"] == ("1024", "declared in the source")
    assert "sub_group" not in fields


HERE = "// occupancy: block=256 regs=40\n__kernel void k(__global float *x) { __local float t[64]; x[0] = t[0]; }\n"
FIELDS = {
    "h100": ["Threads per block", "Registers per thread", "Static shared memory (bytes)",
             "Dynamic shared memory (bytes)", "Shared memory carve-out (%)", "Barriers per block"],
    "mi300x": ["Threads per work-group", "Registers per thread (VGPRs)", "Accumulation registers (AGPRs)",
               "Scalar registers per wave (SGPRs)", "Static LDS (bytes)", "Dynamic LDS (bytes)"],
    "rx-7900-xtx": ["Threads per work-group", "Registers per thread (VGPRs)", "Static LDS (bytes)",
                    "Dynamic LDS (bytes)", "Wave size", "CU or WGP mode"],
    "arc-b580": ["Threads per work-group", "Static SLM (bytes)", "Dynamic SLM (bytes)", "Barriers per work-group",
                 "SIMD width", "Registers per hardware thread (GRF)"],
}  # fmt: skip


def of_opencl(source: str, device: str, **asked: object) -> Panel:
    view = OpenFile(Path("/nowhere/k.cl"), "", Text(source.encode()), Project(None, None, {"devices": [device]})).view()
    assert view is not None
    found = panel(view, Asked(None, "k", **asked))  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.parametrize("device", FIELDS)
def test_each_vendor_has_its_own_fields(device: str) -> None:
    found = of_opencl(HERE, device)
    assert [it.label for it in found.fields] == FIELDS[device]
    drawn = " ".join(it.svg for it in found.pictures)
    assert found.colours and all(f'class="step {name}' in drawn for name, _ in found.colours)


def test_choices_of_the_vendor() -> None:
    amd = of_opencl(HERE, "rx-7900-xtx", changes={"sub_group": "64", "carveout": "50"})
    assert amd.what_if and [it.key for it in amd.fields if it.changed] == ["sub_group"]
    choices = {it.key: it.choices for it in amd.fields}
    assert choices["sub_group"] == ("32", "64") and choices["mode"] == ("cu", "wgp")


def test_where_a_choice_comes_from() -> None:
    """What nobody says is no number: not the accumulation registers, nor what the compiler chooses."""

    def told(source: str, device: str) -> dict[str, tuple[str, str, str]]:
        return {it.key: (it.value, it.range, it.source) for it in of_opencl(source, device).fields}

    assert told(HERE, "mi300x")["accumulators"] == ("", "not stated", "")
    assert told(HERE, "rx-7900-xtx")["sub_group"] == ("32", "", "the default")
    assert told(HERE, "rx-7900-xtx")["mode"] == ("", "not stated", "the default")
    assert told(HERE, "arc-b580")["sub_group"] == ("", "16 to 32", "chosen by the compiler")
    fixed = HERE.replace("__kernel", "__attribute__((intel_reqd_sub_group_size(16))) __kernel")
    assert told(fixed, "arc-b580")["sub_group"] == ("16", "", "fixed by its annotation")
    assert told(fixed, "rx-7900-xtx")["sub_group"] == ("32", "", "the default")
    stated = HERE.replace("regs=40", "regs=40 subgroup=64")
    assert told(stated, "rx-7900-xtx")["sub_group"] == ("64", "", "stated in a comment")
    assert told(HERE, "rx-7900-xtx")["dynamic_local"] == ("0", "", "none in the source")


@pytest.mark.parametrize(
    "changes",
    [{"registers": "64"}, {"group_size": "128"}, {"registers": "33", "group_size": "96", "static_local": "20000"}],
)
@pytest.mark.parametrize("device", ["h100", "rtx-4090"])
def test_a_what_if_is_what_calc_computes(device: str, changes: dict[str, str]) -> None:
    found = shown(SAXPY, device, kernel="saxpy", changes=changes)
    names = {"group_size": "workgroup"}
    request = {"workgroup": 512, "registers": 40, "static_local": 1024}
    request |= {names.get(key, key): int(value) for key, value in changes.items()}
    told = answer({"device": device, **request}, CATALOGUE.find)
    assert found.what_if.startswith(f"{round(told['percent'], 2):g}%, {told['groups']} block")
    assert {it.key for it in found.fields if it.changed} == changes.keys()
    assert "512 threads" in found.said  # what stands in the source is still said


@pytest.mark.parametrize("typed", ["x", "-1", "1.5", "9" * 30, "٣", "1e3"])
def test_a_value_that_cannot_be_is_said(typed: str) -> None:
    found = shown(SAXPY, kernel="saxpy", changes={"registers": typed})
    assert found.fault.startswith("Registers per thread: a whole number, not ")
    assert not found.what_if


@pytest.mark.parametrize(
    "changes", [{"group_size": "0"}, {"group_size": "5000"}, {"registers": "300"}, {"nonsense": "1"}]
)
def test_values_beyond_the_device_cost_nothing(changes: dict[str, str]) -> None:
    found = shown(SAXPY, kernel="saxpy", changes=changes)
    assert not found.what_if or found.what_if.startswith("Cannot launch: ")


def test_a_size_that_the_source_allows_is_applied() -> None:
    view = view_of(ADD, "rtx-4090")
    found = applicable(view, Asked(None, "add", changes={"group_size": "512"}))
    assert found is not None and found.key
    made = resolve(view, found.key)
    assert made is not None and {it.new for it in made.edits} >= {"512"}


def test_why_nothing_is_applied() -> None:
    refused = applied(SAXPY, "saxpy", group_size="128")
    assert refused is not None and not refused.key and "The block size cannot be changed automatically" in refused.title
    other = applied(ADD, "add", registers="24")
    assert other is not None and not other.key and other.title.startswith("Only a block size can be applied")
    assert applied(ADD, "add") is None
    assert applied(ADD, "add", group_size="many") is None
    assert applied(ADD, "gone", group_size="128") is None


def test_changes_are_of_the_kernel_that_was_shown() -> None:
    found = shown(SAXPY + ADD.replace("run", "other"), at="x[i] += 1", kernel="saxpy", changes={"registers": "64"})
    assert found.kernel == "add" and not found.what_if


def test_other_devices() -> None:
    found = shown(SAXPY, "h100", "rtx-4090", kernel="saxpy", beside="rtx-4090")
    assert [(it.id, it.percent) for it in found.bars] == [("h100", 75.0), ("rtx-4090", 100.0)]
    assert all("other" in it.svg for it in found.pictures)
    elsewhere = shown(SAXPY, "h100", kernel="saxpy", device="rtx-4090")
    assert (elsewhere.own, elsewhere.device) == ("H100 SXM5", "GeForce RTX 4090")
    assert elsewhere.arch == "sm_89" and "100%" in elsewhere.said


def test_without_a_size_only_that_over_sizes_is_drawn() -> None:
    source = "// occupancy: regs=40\n__global__ void k(float *x) { x[threadIdx.x] = 0; }\n"
    found = shown(source, kernel="k")
    assert [it.title for it in found.pictures] == ["By threads per block"]
    tried = shown(source, kernel="k", changes={"group_size": "256"})
    assert len(tried.pictures) == 3 and tried.what_if.startswith("75%, 6 blocks per SM")


def test_a_value_that_a_device_does_not_have_is_said_at_its_bar() -> None:
    """Sub-groups of 8 are Intel's alone."""
    text = (
        "__kernel void k(__global float *x, __local float *t) { x[get_local_id(0)] = t[0]; }\n// occupancy: block=256\n"
    )
    source = "// occupancy: block=256\n" + text.splitlines()[0] + "\n"
    project = Project(None, None, {"devices": ["arc-a770", "mi300x"]})
    view = OpenFile(Path("/nowhere/k.cl"), "", Text(source.encode()), project).view()
    assert view is not None
    found = panel(view, Asked(None, "k", beside="mi300x", changes={"sub_group": "8", "dynamic_local": "60000"}))
    assert found is not None
    own, other = found.bars
    assert own.percent is not None and other.percent is not None  # a CDNA wave is what it is: the field is not its own
    assert all("other" in it.svg for it in found.pictures if it.title != "By registers per thread")


def test_sizes_beyond_the_bounds_are_not_drawn() -> None:
    bounded = SAXPY.replace("void saxpy", "void __launch_bounds__(512) saxpy")
    rows = next(it.rows for it in shown(bounded, kernel="saxpy").pictures if it.title == "By threads per block")
    assert rows[-1][0] == "481 to 512"


def test_the_text_has_all_that_the_panel_has() -> None:
    found = shown(SAXPY, "h100", "rtx-4090", kernel="saxpy")
    lines = [" ".join(line.split()) for line in panel_text(found).splitlines()]
    assert lines[0] == f"{found.kernel}: {found.said}"
    for it in found.fields:
        assert f"{it.label} {it.value or it.range} {it.source}".strip() in lines
    for limit in found.limits:
        mark = " lowest" if limit.binds else ""
        assert f"{limit.limit} {limit.needs} {limit.allows}{mark}" in lines
    for picture in found.pictures:
        at = lines.index(picture.said)
        assert lines[at + 2] == " ".join(picture.bars.split())
        assert lines[at + 4 :][: len(picture.rows) + 1] == [" ".join(row) for row in (picture.head, *picture.rows)]
    assert [line.count("█") for line in lines[-2:]] == [15, 20]  # 75% and 100% of 20
    assert all(bar.said in line for bar, line in zip(found.bars, lines[-2:], strict=True))


def test_in_cu_mode_the_charts_count_by_the_cu() -> None:
    source = "// occupancy: regs=96 block=256\n__kernel void k(__global float *p) { *p = 1; }\n"
    for mode, unit in (("cu", "CU"), ("wgp", "WGP")):
        view = view_of(source, "gfx1100", path=Path("k.cl"))
        found = panel(view, Asked(source.index("k("), kernel="k", changes={"mode": mode}))
        assert found and {it.head[1] for it in found.pictures} == {f"work-groups per {unit}"}
