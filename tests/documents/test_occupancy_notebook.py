"""The "Occupancy calculator" notebook: every output it prints, its exercise, and its corrections."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from occupancy_lsp.model.fill import device_fill
from occupancy_lsp.model.lanes import lanes
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.cli.support import occupancy as run
from tests.presets import CATALOGUE
from tests.support import text_of, view_of

GEN11, TURING, MALI = "generic-intel-gen11", "generic-rtx-2080-ti", "generic-mali-g52"


def need(threads: int, local: int, width: int, register_bytes: int) -> Need:
    """In the order of the notebook's kernels."""
    return Need(threads, static_local=local, sub_group=width, register_bytes=register_bytes)


@pytest.mark.parametrize(
    ("device", "kernel", "limits", "final", "printed", "active", "total"),
    [
        # limits as the notebook prints them: by design, registers, sub-groups, SLM
        (GEN11, need(48, 768, 8, 384), (16, 12, 9, 85), 9, "96.43", 54, 56),
        (TURING, need(128, 384, 32, 300), (16, 6, 16, 170), 6, "37.50", 24, 64),
        (MALI, need(32, 768, 8, 256), (16, 12, 12, 42), 12, "100.00", 48, 48),
        (GEN11, need(64, 384, 16, 256), (16, 14, 14, 170), 14, "100.00", 56, 56),
    ],
    ids=["Kernel A on Intel Gen 11", "Kernel B on NVidia", "Soft kernel on Mali", "Kernel B on Intel Gen 11"],
)
def test_what_the_notebook_prints(
    device: str, kernel: Need, limits: tuple[int, ...], final: int, printed: str, active: int, total: int
) -> None:
    arch = CATALOGUE.find(device).arch
    result = arch.occupancy(kernel)
    found = result.limits
    assert (found.groups, found.registers, found.sub_groups, found.local_memory) == limits
    assert (result.groups, result.sub_groups, result.max_sub_groups) == (final, active, total)
    assert f"{result.percent:.2f}" == printed
    assert f"{lanes(arch, kernel).percent:.2f}" == "100.00"


@pytest.mark.parametrize(
    ("register_bytes", "printed"),
    [(300, "37.50"), (260, "43.75"), (256, "50.00"), (200, "62.50"), (129, "93.75"), (128, "100.00")],
)
def test_the_exercise_is_solved_by_128_bytes_of_registers(register_bytes: int, printed: str) -> None:
    result = CATALOGUE.find(TURING).arch.occupancy(need(128, 384, 32, register_bytes))
    assert f"{result.percent:.2f}" == printed


def test_the_exercise_has_four_work_group_sizes() -> None:
    arch = CATALOGUE.find(TURING).arch
    full = [
        threads
        for threads in range(1, 2049)
        if arch.occupancy(need(threads, 0, 32, 128)).percent == 100
        and lanes(arch, need(threads, 0, 32, 1)).percent == 100
    ]
    assert full == [128, 256, 512, 1024, 2048]  # the notebook's 2048 threads; OpenCL on NVIDIA stops at 1024
    budgets = {threads: 65536 // arch.occupancy(need(threads, 0, 32, 128)).groups for threads in full[:4]}
    assert budgets == {128: 4096, 256: 8192, 512: 16384, 1024: 32768}
    for threads, budget in budgets.items():
        assert arch.occupancy(need(threads, budget, 32, 128)).percent == 100
        assert arch.occupancy(need(threads, budget + 1, 32, 128)).percent < 100
    assert arch.occupancy(need(64, 0, 32, 128)).percent == 50  # 16 work-groups are the limit


def test_thread_occupancy_of_a_partly_filled_sub_group() -> None:
    arch, kernel = CATALOGUE.find(TURING).arch, need(33, 0, 32, 16)
    assert arch.occupancy(kernel).sub_groups == 16 * 2
    assert f"{lanes(arch, kernel).percent:.2f}" == "51.56"


def test_too_many_registers_schedule_nothing() -> None:
    arch = CATALOGUE.find(GEN11).arch
    result = arch.occupancy(need(8, 0, 8, 516))
    assert (result.groups, f"{result.percent:.2f}", result.limiters) == (0, "0.00", ("registers",))
    assert result.fault and (result.fault.resource, result.fault.needs, result.fault.allows) == (
        "registers_per_thread",
        129,
        128,
    )
    assert arch.occupancy(need(8, 0, 8, 512)).groups > 0


@pytest.mark.parametrize("device", [GEN11, TURING, MALI])
@pytest.mark.parametrize("kernel", [Need(1), Need(64, 0, 0), Need(64, register_bytes=0), Need(10**9, 10**6, 10**9)])
def test_nothing_is_divided_by_zero(device: str, kernel: Need) -> None:
    result = CATALOGUE.find(device).arch.occupancy(kernel)
    assert 0 <= result.percent <= 100
    if not kernel.static_local:
        assert result.limits.local_memory is None


def test_registers_of_four_bytes_mean_the_same() -> None:
    arch = CATALOGUE.find(TURING).arch
    by_count = arch.occupancy(Need(128, 75, 384, sub_group=32))
    assert by_count == arch.occupancy(need(128, 384, 32, 300))


def test_the_device_example_five_units_of_six_work_groups() -> None:
    fill = device_fill(30, per_unit=6, units=5)
    assert fill is not None and (fill.per_round, fill.rounds, fill.tail) == (30, 1, 30)


@pytest.mark.parametrize(("grid", "advised"), [(528, False), (527, False), (529, True), (1056, False), (36, True)])
def test_the_advice_of_a_grid_that_is_a_multiple_of_units_and_groups(grid: int, advised: bool) -> None:
    """132 SMs hold 4 work-groups each."""
    kernel = "// occupancy: regs=64\n__global__ void k(float* p) { p[threadIdx.x] = 1; }\n"
    view = view_of(f"{kernel}void run(float* p) {{ k<<<{grid}, 256>>>(p); }}\n")
    assert ("OCC308" in {it.code for it in diagnostics(view)}) is advised
    assert "a grid that is a multiple of 528" in plain(
        explain(view_of(kernel.replace("regs=64", "regs=64 block=256")), 0)
    )


@pytest.mark.parametrize(
    ("device", "unit", "hint"),
    [
        ("gen9", "subslice", "100% · 7 WG/subslice"),
        ("gen11", "subslice", "100% · 7 WG/subslice"),
        ("iris-xe", "dual subslice", "100% · 14 WG/DSS"),
        ("arc-a770", "Xe-core", "100% · 16 WG/Xe-core"),
        ("arc-b580", "Xe-core", "100% · 8 WG/Xe-core"),
    ],
)
def test_intel_s_unit_has_the_name_of_its_time(device: str, unit: str, hint: str) -> None:
    """The notebook's Gen11 has subslices."""
    attributes = "__attribute__((reqd_work_group_size(256, 1, 1), intel_reqd_sub_group_size(32)))"
    source = f"__kernel {attributes} void k(__global float* p) {{ p[get_global_id(0)] = 1; }}\n"
    view = OpenFile(Path("/nowhere/k.cl"), "", Text(source.encode()), Project(None, None, {"devices": [device]})).view()
    assert view is not None and text_of(view.reports[0]) == hint
    assert f"work-groups/{unit}," in plain(explain(view, 0))


def test_the_real_turing_does_better_than_the_notebook() -> None:
    """1024 threads and 32 warps per SM, not 2048 and 64; registers are allocated per warp."""
    result = CATALOGUE.find("rtx-2080-ti").arch.occupancy(Need(128, 75, 384))
    assert (result.groups, result.sub_groups, result.max_sub_groups, result.percent) == (6, 24, 32, 75.0)


def test_the_real_gen11_spills_and_has_no_limit_of_16_work_groups() -> None:
    arch = CATALOGUE.find("gen11").arch
    small = Need(8, sub_group=8, variant="calculator")
    assert arch.occupancy(small).percent == 100
    assert f"{CATALOGUE.find(GEN11).arch.occupancy(small).percent:.2f}" == "28.57"


def test_the_widest_sub_groups_make_the_largest_work_group_and_the_narrowest_have_the_most_registers() -> None:
    """Gen11 of the notebook: 8 blocks of 7 states, 4096 bytes a sub-group of 8, 16 or 32."""
    arch = CATALOGUE.find(GEN11).arch
    assert (arch.max_group_size, arch.max_registers) == (8 * 7 * 32, 4096 // (4 * 8))
    assert arch.occupancy(Need(arch.max_group_size, sub_group=32)).percent == 100
    assert arch.occupancy(Need(8, 128, sub_group=8)).fault is None


def test_the_real_g52_halves_its_threads_beyond_32_registers() -> None:
    arch = CATALOGUE.find("mali-g52").arch
    assert arch.occupancy(Need(32, 32)).percent == 100
    assert arch.occupancy(Need(32, 64)).percent == 50
    assert arch.occupancy(Need(32, 64, 32768)).limits.local_memory is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            "generic-intel-gen11 --block 48 --shared 768 --simd 8 --register-bytes 384",
            (
                "96.43% occupancy, 9 work-groups of 48",
                "54 of 56",
                "6 per",
                "16 work-groups",
                "12 work",
                "85 work",
                "48 of 48",
            ),
        ),
        (
            "generic-rtx-2080-ti --block 128 --shared 384 --register-bytes 300",
            (
                "37.5% occupancy, 6 work-groups of 128",
                "24 of 64",
                "4 per",
                "300 B",
                "16 work",
                "170 work",
                "128 of 128",
            ),
        ),
        (
            "generic-mali-g52 --block 32 --shared 768 --register-bytes 256",
            ("100% occupancy, 12 work-groups of 32", "48 of 48", "4 per", "42 work-groups", "32 of 32", "(100%)"),
        ),
    ],
)
def test_the_command_line_prints_the_same(arguments: str, said: tuple[str, ...]) -> None:
    printed = run("calc", "--device", *arguments.split()).out
    assert [text for text in said if text not in printed] == []


def test_a_line_of_json_gives_the_same() -> None:
    request = {"device": TURING, "workgroup": 128, "static_local": 384, "wave": 32, "register_bytes": 300, "grid": 4080}
    reply = json.loads(run("calc", "--jsonl", stdin=json.dumps(request).encode()).out)
    assert (reply["groups"], reply["subgroups"], reply["percent"]) == (6, 24, 37.5)
    assert reply["fill"]["rounds"] == 10


def test_the_exercise_is_answered_by_the_ladder() -> None:
    """Its solution: 128 bytes of registers a thread, where the kernel has 256."""
    done = run("calc", "--device", "generic-rtx-2080-ti", "--block", 128, "--register-bytes", 256, "--shared", 384)
    assert "−8 registers (56) → 9 work-groups, 56.25%; 51 → 62.5%; 46 → 68.75%; 42 → 75%; …; 32 → 100%\n" in done.out
    half = run("calc", "--device", "generic-rtx-2080-ti", "--block", 128, "--register-bytes", 128, "--shared", 384)
    assert half.out.startswith("NVidia RTX 2080 Ti (generic model): 100% occupancy")


BARRIER = "__kernel {0} void k(__global float* p) {{ p[get_local_id(0)] = 1; {1} p[get_local_id(0)] += p[0]; }}\n"
WAITS = "barrier(CLK_GLOBAL_MEM_FENCE);"


def opencl(device: str, source: str) -> View:
    view = OpenFile(Path("/nowhere/k.cl"), "", Text(source.encode()), Project(None, None, {"devices": [device]})).view()
    assert view is not None
    return view


@pytest.mark.parametrize(
    ("device", "without", "with_barrier"),
    [
        # ocloc compiles it with one barrier; the driver has 32 for each unit
        ("arc-a770", "100% · 64 WG/Xe-core", "50% · 32 WG/Xe-core · barriers"),
        # "32 when barriers are used": the calculator has 64 of 112 threads
        ("iris-xe", "100% · 56 WG/DSS", "57.14% · 32 WG/DSS · barriers"),
    ],
)
def test_the_capacity_of_barriers_is_counted_from_the_source(device: str, without: str, with_barrier: str) -> None:
    """ "There is a dedicated hardware handling barriers with limited capacity." """
    attributes = "__attribute__((reqd_work_group_size(32, 1, 1), intel_reqd_sub_group_size(16)))"
    found = [text_of(opencl(device, BARRIER.format(attributes, it)).reports[0]) for it in ("", WAITS)]
    assert found == [without, with_barrier]


def test_a_barrier_on_adreno_wants_the_whole_work_group_resident() -> None:
    """What is known of "barriers can cause your subgroup size to drop - observed on Adreno"."""
    source = f"// occupancy: block=1024 regs=40\n{BARRIER}"
    found = [text_of(opencl("adreno-640", source.format("", it)).reports[0]) for it in ("", WAITS)]
    assert found[0] == "12.5% · 1 WG/SP core · regs" and found[1] is not None and found[1].startswith("no launch: ")


@pytest.mark.parametrize(
    ("device", "elements", "said"),
    [
        ("mali-g52", 64, "256 B indexed at run time, so stored in memory: a thread has at most 256 B of registers"),
        ("mali-g52", 32, None),
        ("adreno-640", 65, "260 B"),
        ("adreno-640", 64, None),  # Mesa keeps it in registers; what Qualcomm's compiler does, it does not publish
    ],
)
def test_static_arrays(device: str, elements: int, said: str | None) -> None:
    """ "Statically declared arrays (like 'int my_array[64]') turned out to cause performance issues." """
    source = (
        f"__kernel void k(__global int* p) {{ int a[{elements}]; int i = get_global_id(0);\n"
        "  a[p[i]] = p[i + 1]; p[i] = a[p[i + 2]]; }\n"
    )
    found = [it.message for it in diagnostics(opencl(device, source)) if it.code == "OCC306"]
    assert len(found) == (said is not None) and all(said in it for it in found if said)


def test_lanes_without_a_thread_are_reported() -> None:
    """33 work-items: 51.56%, as the notebook computes it."""
    view = view_of("__global__ void k(float* p) { p[0] = 1; }\nvoid h(float* p) { k<<<4, 33>>>(p); }\n")
    (found,) = [it.message for it in diagnostics(view) if it.code == "OCC303"]
    assert "(51.56% of lanes used)" in found


def test_the_vendors_words_stand_beside_each_other() -> None:
    """The notebook's table, as a page that every hover of a kernel links."""
    page = (Path(__file__).parents[2] / "docs" / "rules" / "words.md").read_text(encoding="utf-8")
    rows = [row.split("|") for row in page.splitlines() if row.startswith("|")]
    beside = {tuple(cell.strip() for cell in row) for row in rows}
    for words in (("warp", "wavefront", "sub-group"), ("SM", "CU"), ("shared memory", "LDS", "SLM")):
        assert any(all(any(word in cell for cell in row) for word in words) for row in beside), words
    assert "What other vendors call these" in repr(explain(view_of("__global__ void k(float* p) { p[0] = 1; }\n"), 0))


def test_the_exercise_is_answered_in_the_editor_too() -> None:
    """The hover of a kernel of 64 registers, which are 256 bytes, goes down to the 32 of the solution."""
    shown = plain(
        explain(opencl("generic-rtx-2080-ti", f"// occupancy: block=128 regs=64\n{BARRIER.format('', '')}"), 0)
    )
    assert "32 → 100%" in shown
