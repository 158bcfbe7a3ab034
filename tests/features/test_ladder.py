"""Which other bounds are worth compiling, and how what came of them is told; no compiler runs here."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.cli.formats.ladders import as_json
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.edits.ladder.rows import improves, preferred, rungs
from occupancy_lsp.edits.ladder.steps import possible, worth_trying
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.features.actions import actions, edit_context
from occupancy_lsp.features.ladder import head_text, step_title, table
from occupancy_lsp.features.trying import ladder_table, told
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.trials import Trial, trial
from occupancy_lsp.session.view import OpenFile, View
from tests.support import view_of

LOG = """ptxas info    : Compiling entry function '{0}' for '{1}'
ptxas info    : Function properties for {0}
    8 bytes stack frame, {3} bytes spill stores, {3} bytes spill loads
ptxas info    : Used {2} registers, used 0 barriers, 368 bytes cmem[0]
"""
KERNEL = 'extern "C" __global__ void BOUNDS k(float* p) { p[threadIdx.x] = 1; }\n'
LAUNCH = "void go(float* p) { k<<<9, 256>>>(p); }\n"


def built(folder: Path, source: str, registers: int, spills: int = 0, arch: str = "sm_90") -> View:
    """With the counts of a build."""
    path = folder / "a.cu"
    path.write_text(source)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    (folder / "a.ptxas.log").write_text(LOG.format("k", arch, registers, spills))
    return opened(path, arch)


def opened(path: Path, arch: str = "sm_90") -> View:
    project = Project(path.parent, None, {"devices": [arch]})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(path, "cuda", Text(path.read_bytes()), project).view()
    assert view is not None
    return view


def tried(view: View) -> list[str]:
    steps = possible(edit_context(view, {}), 0)
    assert not isinstance(steps, Refused), steps
    report = view.reports[0]
    spilled = max((it.usage.spill_stores or 0 for it in report.counted), default=0)
    return [head_text(it.head) for it in worth_trying(steps, report, spilled)]


@pytest.mark.parametrize(
    ("bounds", "registers", "spills", "wanted"),
    [
        ("", 56, 0, ["(256, 5)", "(256, 6)", "(256, 8)"]),
        ("", 32, 0, []),  # nothing is left to win
        ("__launch_bounds__(256)", 40, 0, ["(256, 8)"]),
        ("__launch_bounds__(256, 6)", 40, 700, ["(256, 1)", "(256, 3)", "(256, 5)", "(256, 8)"]),
        ("__launch_bounds__(256, 8)", 32, 700, ["(256, 1)", "(256, 3)", "(256, 6)"]),
        ("__maxnreg__(128)", 128, 0, ["__maxnreg__(80)", "__maxnreg__(64)", "__maxnreg__(48)", "__maxnreg__(40)",
                                      "__maxnreg__(32)"]),
    ],
)  # fmt: skip
def test_steps(tmp_path: Path, bounds: str, registers: int, spills: int, wanted: list[str]) -> None:
    view = built(tmp_path, KERNEL.replace("BOUNDS", bounds) + LAUNCH, registers, spills)
    assert tried(view) == wanted


def test_bounds_fail_no_launch(tmp_path: Path) -> None:
    """Where a launch may be larger, or is out of sight, what is tried says nothing of the size."""
    for launch in (LAUNCH.replace("256", "n ? 512 : 64"), LAUNCH + "auto f = k;\n"):
        view = built(tmp_path, KERNEL.replace("BOUNDS", "") + launch.replace("float* p)", "float* p, int n)", 1), 80)
        assert tried(view) and all(it.startswith("__maxnreg__") for it in tried(view))


def test_shared_memory_limits_the_steps(tmp_path: Path) -> None:
    """No step asks for more blocks than it leaves room for."""
    own = "__shared__ float t[9000]; p[0] = t[threadIdx.x];"
    built(tmp_path, KERNEL.replace("BOUNDS", "").replace("p[threadIdx.x] = 1;", own) + LAUNCH, 80)
    log = (tmp_path / "a.ptxas.log").read_text().replace("barriers,", "barriers, 36000 bytes smem,")
    (tmp_path / "a.ptxas.log").write_text(log)
    assert tried(opened(tmp_path / "a.cu")) == ["(256, 4)", "(256, 5)", "(256, 6)"]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (KERNEL.replace("BOUNDS", ""), "its occupancy is not known"),
        ("#define B __launch_bounds__(256, 2)\n" + KERNEL.replace("BOUNDS", "B") + LAUNCH, "by a macro"),
        (KERNEL.replace("BOUNDS", "__block_size__((256, 1, 1))") + LAUNCH, "fixes its size"),
    ],
)
def test_refused(tmp_path: Path, source: str, why: str) -> None:
    found = possible(edit_context(built(tmp_path, source, 80), {}), 0)
    assert isinstance(found, Refused) and why in found.reason


WITHOUT_COUNTS = "Try other bounds: compile the kernel as it is, then with those that may help"


@pytest.mark.parametrize(
    ("head", "launch", "offered"),
    [
        ("", "256", True),
        ("", "1024", True),
        ("__launch_bounds__(512)", "512", True),
        ("", "n ? 512 : 64", True),
        ("__launch_bounds__(256, 4)", "256", True),
        ("__launch_bounds__(256, 8)", "256", False),  # it is sure of all as it stands
    ],
)
def test_without_counts_bounds_are_tried_not_written(tmp_path: Path, head: str, launch: str, offered: bool) -> None:
    """Most kernels need fewer registers than bounds leave them: an edit might change nothing."""
    source = KERNEL.replace("BOUNDS", head) + LAUNCH.replace("256", launch).replace("float* p)", "float* p, int n)", 1)
    path = tmp_path / "a.cu"
    path.write_text(source)
    view = opened(path)
    found = actions(view, 0, len(view.text.content))
    assert [it.title for it in found if it.key.startswith("try:")] == [WITHOUT_COUNTS] * offered
    assert not [it for it in found if it.key.startswith(("bounds:", "fix:"))]


def test_in_a_header_nothing_is_tried(tmp_path: Path) -> None:
    """A step is compiled with the source alone."""
    path = tmp_path / "a.cuh"
    path.write_text(KERNEL.replace("BOUNDS", "") + LAUNCH)
    view = opened(path)
    assert view.reports[0].size.exact == 256
    assert not [it for it in actions(view, 0, len(view.text.content)) if it.key.startswith("try:")]


@given(
    arch=st.sampled_from(["sm_75", "sm_80", "sm_86", "sm_90", "sm_120"]),
    threads=st.integers(1, 1024),
    blocks=st.integers(0, 33),
    registers=st.integers(16, 255),
    spills=st.sampled_from([0, 64]),
)
def test_each_step_is_worth_it(arch: str, threads: int, blocks: int, registers: int, spills: int) -> None:
    """It lets more blocks reside than now, or leaves what spills more registers; and there are six at most."""
    bounds = f"__launch_bounds__({threads}, {blocks})" if blocks else f"__launch_bounds__({threads})"
    directive = f"// occupancy: regs={registers}\n"
    view = view_of(directive + KERNEL.replace("BOUNDS", bounds) + LAUNCH.replace("256", str(threads)), arch)
    steps = possible(edit_context(view, {}), 0)
    if isinstance(steps, Refused):
        return
    report, found = view.reports[0], worth_trying(steps, view.reports[0], spills)
    assert len(found) <= 6 and steps[0] not in found
    assert report.figure is not None
    need, now = report.figure.least, report.figure.lowest.groups
    for it in found:
        assert it.ceiling is not None
        with_it = report.arch.occupancy(replace(need, registers=min(it.ceiling, registers))).groups
        assert with_it > now or (spills and it.ceiling > registers)


def answered(view: View, *answers: Reading) -> Trial:
    """As if compilers had said so, one after the other; then nothing."""
    made = trial(view, Project(None), 0, edit_context(view, {}))
    assert isinstance(made, Trial)
    left = [*answers]
    for _ in made:
        made.take(left.pop(0) if left else Reading(problems=(Problem("a.cu", 1, 1, "not compiled: why"),)))
    return made


def usage(registers: int, spills: int = 0) -> Reading:
    return Reading((Usage("k", "compiled", "log", 1, "sm_90", registers, spill_stores=spills, static_local=0),))


def test_what_fails_is_left_out(tmp_path: Path) -> None:
    view = built(tmp_path, KERNEL.replace("BOUNDS", "") + LAUNCH, 56)
    made = answered(view, usage(56), usage(48), usage(48), usage(32, 96))
    assert made.ladder is not None
    found = rungs(made.report, made.ladder)
    assert [it[:3] for it in table(found)[1:]] == [
        ("none, now", "56", "50%"), ("(256, 5)", "48", "62.5%"), ("(256, 8)", "32", "100%"),
    ]  # fmt: skip
    assert step_title(found[0], found[1]) == "Bounds (256, 5): 48 registers (now 56), 50% → 62.5%, no spills"
    assert (
        step_title(found[0], found[2]) == "Bounds (256, 8): 32 registers (now 56), 50% → 100%, spills 96 B (now none)"
    )
    assert told("k", made, view).startswith("k: Bounds (256, 5): 48 registers (now 56), 50% → 62.5%, no spills.")


def test_without_a_compiler(tmp_path: Path) -> None:
    """The count that is known stays, and of each step only what its head allows is said."""
    view = built(tmp_path, KERNEL.replace("BOUNDS", "") + LAUNCH, 56)
    made = answered(view)
    assert made.why == "not compiled: why" and made.ladder is not None
    found = rungs(made.report, made.ladder)
    assert table(found)[1:3] == [
        ("none, now", "56", "50%", "none"),
        ("(256, 5)", "at most 48", "≥62.5%", "not compiled"),
    ]
    said = "Bounds (256, 5): at most 48 registers, 50% → ≥62.5%; not compiled, may spill"
    assert step_title(found[0], found[1]) == said
    steps = json.loads(json.dumps(as_json("a.cu", made.ladder, made)))["steps"]
    none = {"lowest": 0, "highest": 0, "registers": False}
    assert [it["spills"] for it in steps] == [none, *[None] * (len(found) - 1)]


def test_what_is_not_compiled_is_not_said_to_spill_less(tmp_path: Path) -> None:
    view = built(tmp_path, KERNEL.replace("BOUNDS", "__launch_bounds__(256, 6)") + LAUNCH, 40, 700)
    made = answered(view)
    assert made.ladder is not None
    found = rungs(made.report, made.ladder)
    assert [head_text(it.row.head) for it in found[1:] if improves(found[0], it)] == ["(256, 8)"]
    assert preferred(found) is None
    made = answered(view, usage(40, 700), usage(128), usage(80), usage(48, 64), usage(32, 900))
    assert made.ladder is not None
    found = rungs(made.report, made.ladder)
    best = preferred(found)
    assert best is not None and step_title(found[0], best) == (
        "Bounds (256, 3): 80 registers (now 40), 75% → 37.5%, no spills (now 700 B)"
    )


def test_offers_are_edits_of_the_text(tmp_path: Path) -> None:
    view = built(tmp_path, KERNEL.replace("BOUNDS", "__launch_bounds__(256, 4)") + LAUNCH, 56)
    made = answered(view, usage(56), usage(48), usage(40, 8), usage(40, 8))
    assert made.ladder is not None
    at = view.span(view.reports[0].kernel.name_place)[0]
    (asking,) = [it for it in actions(view, at, at) if it.title.startswith("Try")]
    assert asking.command == ("occupancy.tryBounds", ("k",)) and asking.of_file
    view = replace(view, ladders=(made.ladder,))
    found = [it for it in actions(view, at, at) if it.key.startswith("try:")]
    assert [(it.title.partition(":")[0], it.preferred) for it in found] == [
        ("Bounds (256, 5)", True), ("Bounds (256, 6)", False),
    ]  # fmt: skip
    assert [edit.new for it in found for edit in it.edits] == ["5", "6"]


def test_bounds_of_a_template_keep_their_argument(tmp_path: Path) -> None:
    """If all its instances have as many threads."""
    source = "template <int N> __global__ void __launch_bounds__(N) k(float* p) { p[0] = N; }\n"
    launch = "void go(float* p) { k<256><<<9, 256>>>(p); }\n"
    view = built(tmp_path, source + launch, 56)
    steps = possible(edit_context(view, {}), 0)
    assert not isinstance(steps, Refused)
    assert (head_text(steps[-1].head), [new for _, new in steps[-1].edits]) == ("(256, 8)", [", 8"])
    view = built(tmp_path, source + launch + launch.replace("256", "128").replace("go", "gone"), 56)
    assert possible(edit_context(view, {}), 0) == Refused("the threads of its bounds are not one number")


INTEL = (
    "__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void k(__global float* p) { p[get_global_id(0)] = 1; }\n"
)


def test_on_intel_the_sub_group_size(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text(INTEL)
    view = opened(tmp_path / "a.cl", "arc-a770")
    answers = (
        Reading((Usage("k", "compiled", "z", 0, "xe_hpg", grf=128, sub_group=width, spill_size=size, static_local=0),))
        for width, size in ((16, 0), (32, 512), (8, 0))
    )
    made = answered(view, *answers)
    assert made.ladder is not None
    assert table(rungs(made.report, made.ladder))[1:] == [
        ("none, now", "SIMD16", "100%", "none"),
        ("intel_reqd_sub_group_size(32)", "SIMD32", "100%", "512 B"),
        ("intel_reqd_sub_group_size(8)", "SIMD8", "100%", "none"),
    ]
    (tmp_path / "a.cl").write_text(INTEL.replace("= 1", "= sub_group_reduce_add(1)"))
    refused = possible(edit_context(opened(tmp_path / "a.cl", "arc-a770"), {}), 0)
    assert refused == Refused("it is written for the sub-group size that it has")


def test_other_sizes_stand_in_the_table(tmp_path: Path) -> None:
    """They are offered apart, wherever else they are written."""
    source = (
        "#define N 768\n"
        'extern "C" __global__ void __launch_bounds__(N) k(float* p, int n) {\n'
        "  int i = blockIdx.x * N + threadIdx.x;\n  if (i < n) p[i] *= 2;\n}\n"
        "void go(float* p, int n) { k<<<(n + N - 1) / N, N>>>(p, n); }\n"
    )
    view = built(tmp_path, source, 10)
    made = answered(view, usage(10), usage(10), usage(12, 8))
    assert made.ladder is not None
    found = rungs(made.report, made.ladder)
    assert table(found)[1:3] == [("(768), now", "10", "75%", "none"), ("512 threads", "10", "100%", "none")]
    assert found[2].row.step.size and table(found)[3][1:] == ("12", "100%", "8 B")
    view = replace(view, ladders=(made.ladder,))
    at = view.span(view.reports[0].kernel.name_place)[0]
    assert not [it for it in actions(view, at, at) if it.key.startswith("try:")]


def test_a_ladder_goes_with_what_it_was_made_of(tmp_path: Path) -> None:
    """A launch, a directive, a header, the build's flags; what comes back as it was brings it back."""
    header, commands = tmp_path / "h.cuh", tmp_path / "compile_commands.json"
    header.write_text("#define N 4\n")
    commands.write_text("[]")
    for it in (header, commands):
        os.utime(it, (0, 0))
    source = '#include "h.cuh"\n' + KERNEL.replace("BOUNDS", "") + LAUNCH
    built(tmp_path, source, 56)
    project = Project(tmp_path, None, {"devices": ["sm_90"]})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    file = OpenFile(tmp_path / "a.cu", "cuda", Text(source.encode()), project)

    def seen() -> View:
        found = file.view()
        assert found is not None
        return found

    def offered() -> list[str]:
        at = seen().span(seen().reports[0].kernel.name_place)[0]
        return [it.title.partition(":")[0] for it in actions(seen(), at, at) if it.key.startswith("try:") and it.edits]

    def shown() -> bool:
        return bool(ladder_table(seen(), 0))

    def write(old: str, new: str) -> None:
        at = file.text.content.index(old.encode())
        file.edit(at, at + len(old), new.encode())

    made = trial(seen(), project, 0, edit_context(seen(), {}))
    assert isinstance(made, Trial)
    left = [usage(56), usage(48), usage(40, 8), usage(32, 96)]
    for _ in made:
        made.take(left.pop(0))
    assert made.ladder is not None
    file.tried(made.ladder)
    bounds = ["Bounds (256, 5)", "Bounds (256, 6)", "Bounds (256, 8)"]
    assert shown() and offered() == bounds
    assert "The hover on its name has all" in told("k", made, seen())
    write("void go", "// a comment\nvoid go")
    assert shown() and offered() == bounds
    for old, new in (("256", "512"), ("p);", "p), k<<<1, 64>>>(p);"), ("extern", "// occupancy: shared=9000\nextern")):
        write(old, new)
        assert not shown() and offered() == [], new
        assert "hover" not in told("k", made, seen())
        write(new, old)
        assert shown() and offered() == bounds, old
    # Out of sight it may be launched with more threads: the table stands, but no bounds are offered.
    write("void go", "auto f = k;\nvoid go")
    assert offered() == []
    write("auto f = k;\n", "")
    for path in (header, commands):
        os.utime(path)
        project.changed([path])
        assert not shown() and offered() == [], path
        os.utime(path, (0, 0))
        project.changed([path])
        assert shown(), path
