"""A part of `make prove`: what the server offers on real kernels compiles and keeps its promise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.analysis.inputs import Counted, Spills
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.features.answers import Action
from tests.support import view_of

from . import prover
from .__main__ import OWN, proved_in
from .bench import Bench, Texts, applied, read_project
from .checkouts import InCheckout
from .promises import fewer, heeded, is_as_before, spilled, warned
from .prover import AS_WRITTEN, Applied, NotOffered, prove


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))


@pytest.mark.parametrize(
    ("name", "device", "least"),
    [
        ("bounds.cu", "h100", 7),
        ("large_tile.cu", "a100", 1),
        ("saxpy.cu", "h100", 3),
        ("template.cu", "a100", 1),
        ("live.cu", "a100", 6),
        ("unbounded.cu", "h100", 1),
        ("unbounded.hip", "mi250x", 3),
        ("helpers.cu", "h100", 9),
        ("planes.cu", "h100", 9),
        ("wide.cu", "h100", 2),
        ("failing.cu", "h100", 8),
        ("preferred.cu", "h100", 1),
        ("ported.hip", "mi250x", 6),
        ("live.hip", "mi250x", 3),
        ("ggl.hip", "mi250x", 3),
        ("columns.hip", "mi250x", 2),
        ("template.hip", "rx-7900-xtx", 3),
        ("transpose.hip", "rx-7900-xtx", 1),
        ("parts/kernels.cu", "h100", 6),
        ("parts/waves.hip", "mi250x", 6),
        ("opencl/histogram/histogram.cl", "mi250x", 3),
        ("opencl/columns/columns.cl", "rx-7900-xtx", 3),
        ("opencl/two/passes.cl", "mi250x", 4),
        ("opencl/window/window.cl", "mi250x", 3),
    ],
)
def test_what_is_offered_is_kept(name: str, device: str, least: int) -> None:
    done = [it for it in prove(OWN / name, device) if isinstance(it, Applied)]
    assert [it for it in done if not it.kept] == []
    assert len([it for it in done if it.action != AS_WRITTEN]) >= least


def test_half_idle_waves_are_filled() -> None:
    """Groups of 32 where a wave has 64 lanes: 64 threads are offered, compile, and hold what they promise."""
    results = list(prove(OWN / "half_idle.hip", "mi250x"))
    done = [it for it in results if isinstance(it, Applied)]
    assert [it for it in done if not it.kept] == []
    whole = [it for it in done if it.title.startswith("Change work-group size to 64 (now 32): ")]
    assert {it.line for it in whole} == {4, 9} and len(whole) == 4  # as typed, and once the counts are known
    assert all(", 100% of lanes used" in it.title for it in whole)
    refused = [(it.line, it.reason) for it in results if isinstance(it, NotOffered)]
    assert refused == [(15, "its code has 32 written out, which may be derived from the size")]


def test_a_kernel_without_a_host_keeps_its_size() -> None:
    results = list(prove(OWN / "required.cl", "mi250x"))
    done = [(it.action, it.faults) for it in results if isinstance(it, Applied)]
    assert done == [(AS_WRITTEN, ())] * 2
    refused = [it.reason for it in results if isinstance(it, NotOffered)]
    assert refused == ["no visible launch sets its size"] * 2


def test_a_host_that_is_left_behind_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof itself: an edit that forgets the other file breaks its promise."""
    monkeypatch.setattr(prover, "applied", lambda bench, action: _of_one_file(bench, action))
    done = [it for it in prove(OWN / "opencl" / "histogram" / "histogram.cl", "mi250x") if isinstance(it, Applied)]
    sized = [it for it in done if it.action == "size"]
    assert sized and not any(it.kept for it in sized)


def _of_one_file(bench: Bench, action: Action) -> Texts:
    return applied(bench, replace(action, edits=tuple(it for it in action.edits if it.file is None)))


def test_a_checkout_is_proved_where_its_files_stand(tmp_path: Path) -> None:
    """What includes by paths of the repository, and is left as it was."""
    root = tmp_path / "repository"
    (root / "src").mkdir(parents=True)
    (root / "include").mkdir()
    (root / ".git").mkdir()
    (root / "include" / "scale.h").write_text(
        "#pragma once\ntemplate <typename T> __device__ T twice(T x) { return x + x; }\n"
    )
    text = (
        '#include "include/scale.h"\n__global__ void scale(float *p, int n) {\n'
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) p[i] = twice(p[i]);\n}\n"
        "__global__ void shift(float *p) { p[threadIdx.x] += 1; }\n"
        "void run(float *p, int n) { scale<<<(n + 31) / 32, 32>>>(p, n); shift<<<1, 1024>>>(p); }\n"
    )
    (root / "src" / "scale.cu").write_text(text)
    (root / "linked.cu").symlink_to(root / "src" / "scale.cu")  # from its copy, too
    (root / "linked").symlink_to(root / "src")
    bench = InCheckout.at(root / "src" / "scale.cu", "h100", read_project(root, "h100"))
    assert bench.owns([root / "src" / "scale.cu"]) and not bench.owns([root / "linked" / "scale.cu"])
    assert not bench.owns([root / "linked.cu"]) and not bench.owns([tmp_path / "other.cu"])
    done = [it for it in proved_in(root, ["h100"], 5) if isinstance(it, Applied)]
    assert {it.path for it in done} == {root / "src" / "scale.cu"} and not [it for it in done if not it.kept]
    assert {(it.line, it.action) for it in done} >= {(2, "size")}
    assert (root / "src" / "scale.cu").read_text() == text


def test_spills_that_no_title_tells_of_are_found_out() -> None:
    """A kernel of 281 live values under `(256)` and `(256, 1)`, as ptxas counted them for sm_90."""
    head = "// occupancy: regs={} block=256\n__global__ void k(float *p) {{ p[0] = 1; }}\n"
    before, after = (view_of(head.format(it)).reports[0] for it in (255, 32))
    few, many = (
        replace(it, registers=replace(it.registers, spills=Spills(spilt, spilt)))
        for it, spilt in ((before, 248), (after, 2540))
    )
    assert [*spilled("Add __launch_bounds__(256): larger launches would fail", few, many)] == [
        "248 spilled before, 2540 after"
    ]
    assert not [*spilled("Add __launch_bounds__(256): may spill", few, many)]
    for title in (
        "Change work-group size to 256, also in spill.h",
        "Bounds (256, 6): no spills",
        "B: spills not known",
    ):
        assert [*spilled(title, few, many)]
    assert not [*spilled("Bounds (256, 6): 40 registers (now 48), spills 2,540 B (now 248 B)", few, many)]
    assert not [*spilled("Add __launch_bounds__(256, 1)", many, few)]
    count = Counted(Usage("k", "compiled", "k.log", 1, "sm_90", 255), "fresh")
    unknown = replace(few, registers=replace(few.registers, spills=None))
    assert [*spilled("Add __launch_bounds__(256, 1)", replace(unknown, counted=(count,)), many)]
    assert not [*spilled("Add __launch_bounds__(256, 1)", replace(unknown, counted=()), many)]
    assert is_as_before(few, few) and not is_as_before(few, many)


def test_what_ptxas_still_ignores_is_found_out() -> None:
    """Of `(1024, 2)` on a T4; and bounds with which more than the title says is allocated."""
    said = "Value of threads per SM for entry k is out of range. .minnctapersm will be ignored"
    some, none = frozenset({said}), frozenset[str]()
    drop = "Drop minBlocks: ptxas ignores it; still at most 64 registers"
    assert [*warned(drop, some, some)] == [f"still: {said}"] and not [*warned(drop, some, none)]
    assert [*warned("Change block size to 512 (now 1024)", none, some)] == [said]
    assert not [*warned("Change block size to 512 (now 1024)", some, some)]
    head = "// occupancy: regs={} block=256\n__global__ void k(float *p) {{ p[0] = 1; }}\n"
    before, after = (view_of(head.format(it)).reports[0] for it in (32, 64))
    assert [*fewer(drop, before, after)] == ["8 blocks resided before, 4 after"]
    assert not [*fewer(drop, after, before)]
    assert not [*fewer("Set minBlocks to 4: asks for less; at most 64 registers (now 32)", before, after)]


def test_a_number_that_clang_ignores(tmp_path: Path) -> None:
    """`(1024, 2)` on gfx90a: dropping the 2 changes nothing, as the title says."""
    source = tmp_path / "scale.hip"
    head = "#include <hip/hip_runtime.h>\n__global__ void __launch_bounds__(1024, 2)"
    source.write_text(f"{head} scale(float *p) {{ p[threadIdx.x] *= 2; }}\n")
    done = [it for it in prove(source, "mi250x") if isinstance(it, Applied) and it.title.startswith("Drop")]
    assert [(it.action, it.effect, it.kept) for it in done] == [("OCC103", "text", True)]
    before, after = (
        view_of(f"// occupancy: regs={it}\n{source.read_text()}", "mi250x", "a.hip").reports[0] for it in (64, 128)
    )
    count = Counted(Usage("scale", "compiled", "k.s", 1, "gfx90a", 64), "fresh")
    counted = replace(before, counted=(count,))
    assert [*heeded(done[0].title, counted, after)] == ["the number that is dropped was not ignored"]
    assert not [*heeded(done[0].title, counted, before)]


def test_a_number_that_ptxas_ignores(tmp_path: Path) -> None:
    """Its edits end the warning, and change nothing else; where they are of no warning, they must."""
    source = tmp_path / "scale.cu"
    source.write_text("__global__ void __launch_bounds__(1024, 2) scale(float *p) { p[threadIdx.x] *= 2; }\n")
    done = [it for it in prove(source, "t4") if isinstance(it, Applied) and it.action != AS_WRITTEN]
    assert {(it.action, it.effect, it.kept) for it in done} == {("OCC102", "text", True)}
