"""Rules about annotations: OCC004, OCC101, OCC102, OCC304."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from occupancy_lsp.features.diagnostics import rule_findings
from tests.support import check, view_of

OLD = pytest.mark.parametrize("device", ["sm_75", "sm_80", "sm_86", "sm_89"])


@OLD
def test_clusters_before_they_existed(device: str) -> None:
    """nvcc 13.0 refuses each of these for sm_80, whatever the number, in templates that nothing uses too."""
    check(
        f"""
        __global__ void __launch_bounds__(256, 0, 4) third(float* p) {{ p[0] = 1; }}
        //                                        ^ error OCC004: a cluster size needs sm_90 or later; nvcc rejects it for {device}
        __global__ void __launch_bounds__(256, 0, 1) one(float* p) {{ p[0] = 1; }}
        //                                        ^ error OCC004: a cluster size needs sm_90 or later; nvcc rejects it for {device}
        __global__ void __cluster_dims__(2, 1, 1) dims(float* p) {{ p[0] = 1; }}
        //              ^^^^^^^^^^^^^^^^^^^^^^^^^ error OCC004: __cluster_dims__ needs sm_90 or later; nvcc rejects it for {device}
        __global__ void __block_size__((128, 1, 1)) size(float* p) {{ p[0] = 1; }}
        //              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error OCC004: __block_size__ needs sm_90 or later; nvcc rejects it for {device}
        __global__ void __block_size__((128, 1, 1), (2, 1, 1)) both(float* p) {{ p[0] = 1; }}
        //              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error OCC004: __block_size__ needs sm_90 or later; nvcc rejects it for {device}
        """,  # noqa: E501
        device,
    )


CLUSTERS = """
#if {condition}
__global__ void __cluster_dims__(2, 1, 1) dims(float* p) {{ p[0] = 1; }}
__global__ void __launch_bounds__(256, 0, 4) third(float* p) {{ p[0] = 1; }}
#endif
template <int N> __global__ void __launch_bounds__(256, 0, N) open(float* p) {{ p[0] = 1; }}
__global__ void __launch_bounds__(256, 2) plain(float* p) {{ p[0] = 1; }}
"""


@OLD
@pytest.mark.parametrize("condition", ["__CUDA_ARCH__ >= 900", "WITH_CLUSTERS", "0"])
def test_clusters_that_are_not_compiled(device: str, condition: str) -> None:
    check(CLUSTERS.format(condition=condition), device)


@pytest.mark.parametrize("device", ["h100", "sm_100", "sm_120"])
def test_clusters_where_they_exist(device: str) -> None:
    check(CLUSTERS.format(condition="1"), device)


KERNEL = """
__global__ void __launch_bounds__({bounds}) k(float* p) {{
  __shared__ float tile[{floats}];
  tile[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = tile[threadIdx.x ^ 1];
}}
"""


def found(source: str, device: str, code: str) -> list[str]:
    return [finding.message for rule, _, finding in rule_findings(view_of(source, device)) if rule.code == code]


def fixes(source: str, device: str, code: str) -> list[tuple[str, str]]:
    """Titles, and the text that each fix makes of the bounds."""
    view, done = view_of(source, device), []
    for rule, report, finding in rule_findings(view):
        for fix in finding.fixes if rule.code == code else ():
            text = view.text.content
            for place, new in fix.edits:
                start, end = view.span(place)
                text = text[:start] + new.encode() + text[end:]
            assert report.kernel.attributes.bounds is not None
            start = view.span(report.kernel.attributes.bounds.place)[0]
            done.append((fix.title, text[start : text.index(b") k", start) + 1].decode()))
    return done


def test_min_blocks_that_local_memory_forbids() -> None:
    """Six blocks asked, four fit, and the register ceiling drops for six all the same."""
    source = KERNEL.format(bounds="256, 6", floats=12 * 1024)
    assert found(source, "h100", "OCC101") == [
        "minBlocks 6 needlessly caps registers at 40: shared memory fits 4 blocks of 49152 B"
    ]
    assert fixes(source, "h100", "OCC101") == [
        ("Set minBlocks to 4: 4 blocks fit, as before; at most 64 registers (now 40)", "__launch_bounds__(256, 4)"),
        ("Set minBlocks to 1: asks for one block; at most 255 registers (now 40)", "__launch_bounds__(256, 1)"),
    ]
    assert [it for it, _ in fixes(KERNEL.format(bounds="128, 2", floats=12 * 1024), "sm_75", "OCC101")] == [
        "Set minBlocks to 1: 1 block fits, as before; still at most 255 registers"
    ]
    assert found(KERNEL.format(bounds="128, 3", floats=12 * 1024), "sm_86", "OCC101") == [
        "minBlocks 3 needlessly caps registers at 168: shared memory fits 2 blocks of 49152 B"
    ]


@pytest.mark.parametrize(
    ("bounds", "floats", "device"),
    [
        ("256, 4", 12 * 1024, "h100"),  # just fits
        ("256, 2", 12 * 1024, "sm_86"),
        ("256", 12 * 1024, "h100"),
        ("256, N", 12 * 1024, "h100"),
        ("256, 6", "N", "h100"),
        ("256, 20", 12 * 1024, "h100"),  # ignored: OCC102
        ("256, 0", 12 * 1024, "h100"),
    ],
)
def test_min_blocks_that_local_memory_allows(bounds: str, floats: object, device: str) -> None:
    assert found(KERNEL.format(bounds=bounds, floats=floats), device, "OCC101") == []


LOG = """ptxas info    : Compiling entry function 'k' for '{}'
ptxas info    : Function properties for k
    0 bytes stack frame, {} bytes spill stores, 0 bytes spill loads
ptxas info    : Used {} registers, used 1 barriers, 49152 bytes smem, 368 bytes cmem[0]
"""


@pytest.mark.parametrize(
    ("arch", "spilled", "used", "said"),
    [
        ("sm_90", 0, 40, True),
        ("sm_90", 0, 33, True),  # within one unit of the cap, which may hold it
        ("sm_90", 0, 32, False),
        ("sm_90", 8, 32, True),
        ("sm_80", 0, 32, True),  # of another device
    ],
)
def test_a_cap_that_the_kernel_does_not_reach(tmp_path: Path, arch: str, spilled: int, used: int, said: bool) -> None:
    """It holds nothing back (test_law_of_bounds.py)."""
    path, source = tmp_path / "a.cu", KERNEL.format(bounds="256, 6", floats=12 * 1024)
    source = source.replace("__global__", 'extern "C" __global__')
    path.write_text(source)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    (tmp_path / "a.ptxas.log").write_text(LOG.format(arch, spilled, used))
    codes = [rule.code for rule, _, _ in rule_findings(view_of(source, "h100", path=path))]
    assert ("OCC101" in codes) is said


def test_memory_that_is_never_read_forbids_nothing() -> None:
    kernel = (
        "__global__ void __launch_bounds__(256, 6) k(float* p) { __shared__ float t[12288]; t[threadIdx.x] = p[0]; }"
    )
    assert found(kernel, "h100", "OCC101") == []
    assert found(kernel.replace("__global__", "template <bool B> __global__"), "h100", "OCC101") == []


def test_dynamic_bytes_forbid_min_blocks_too() -> None:
    kernel = "__global__ void __launch_bounds__(256, {}) k(float* p) {{ extern __shared__ float s[]; p[0] = s[1]; }}\n"
    launch = "void run(float* p) { k<<<1, 256, 40000>>>(p); }"
    expected = "minBlocks 6 needlessly caps registers at 40: shared memory fits 5 blocks of 40000 B"
    assert found(kernel.format(6) + launch, "h100", "OCC101") == [expected]
    assert found(kernel.format(5) + launch, "h100", "OCC101") == []
    assert found(kernel.format(6), "h100", "OCC101") == []


PLAIN = "__global__ void __launch_bounds__({}) k(float* p) {{ p[0] = 1; }}"
COUNTED = "// occupancy: regs={}\n" + PLAIN


def test_min_blocks_that_are_ignored() -> None:
    """ptxas warns and compiles as if they were not there."""
    source = PLAIN.format("1024, 2")
    assert found(source, "sm_86", "OCC102") == ["minBlocks 2 is ignored on sm_86: 2 × 32 warps are 64, an SM holds 48"]
    assert found(PLAIN.format("32, 33"), "h100", "OCC102") == [
        "minBlocks 33 is ignored on sm_90: an SM holds 32 blocks"
    ]
    assert fixes(PLAIN.format("256, 8"), "sm_86", "OCC102") == [
        (
            "Set minBlocks to 6: the most that sm_86 honours; at most 40 registers (now 255), may spill",
            "__launch_bounds__(256, 6)",
        ),
        ("Drop minBlocks: ptxas ignores it; still at most 255 registers", "__launch_bounds__(256)"),
    ]
    check(
        """
        constexpr int EACH = 8;
        __global__ void __launch_bounds__(256, EACH) k(float* p) { p[0] = 1; }
        //                                     ^^^^ warning OCC102: minBlocks 8 is ignored on sm_75: 8 × 8 warps are 64, an SM holds 32
        """,  # noqa: E501
        "sm_75",
    )


@pytest.mark.parametrize(
    ("bounds", "device"),
    [
        ("1024, 2", "h100"),
        ("1024, 2", "sm_80"),
        ("256, 6", "sm_86"),
        ("32, 32", "h100"),
        ("256", "sm_86"),
        ("N, 8", "sm_75"),
    ],
)
def test_min_blocks_that_are_heeded(bounds: str, device: str) -> None:
    assert found(PLAIN.format(bounds), device, "OCC102") == []


def test_a_minimum_of_one_is_not_neutral() -> None:
    """nvcc 13.0, sm_90, one kernel: (128) 70 registers, (128, 1) 80; (512) 98, (512, 1) 80."""
    source = COUNTED.format(80, "512, 1")
    for device in ("h100", "sm_86"):
        assert found(source, device, "OCC304") == [
            "minBlocks 1 makes the compiler allocate registers for one block per SM (at most 128, 80 used)"
        ]
    title = "leaves the number of registers to the compiler; still at most 128 registers"
    assert fixes(source, "h100", "OCC304") == [(f"Drop minBlocks: {title}", "__launch_bounds__(512)")]
    assert fixes(COUNTED.format(80, "512, 1, 2"), "h100", "OCC304") == [
        (f"Set minBlocks to 0: {title}", "__launch_bounds__(512, 0, 2)")
    ]


def test_a_minimum_of_one_that_may_be_needed() -> None:
    """nvcc 13.0, sm_90: a kernel that 128 registers do not suffice has 128 with (512, 1), and 32 with (512)."""
    assert found(COUNTED.format(120, "512, 1"), "h100", "OCC304") != []
    assert found(COUNTED.format(121, "512, 1"), "h100", "OCC304") == []
    assert found(COUNTED.format(128, "512, 1"), "h100", "OCC304") == []


@pytest.mark.parametrize("bounds", ["512", "512, 0", "512, 2", "512, N", "2048, 1, 1"])
def test_what_is_no_minimum_of_one(bounds: str) -> None:
    assert found(COUNTED.format(80, bounds), "sm_86", "OCC304") == []


def test_a_minimum_of_one_that_costs_nothing() -> None:
    """Nothing is said without a count, nor where further blocks are kept out by something else than registers."""
    assert found(PLAIN.format("512, 1"), "h100", "OCC304") == []
    assert found(COUNTED.format(32, "512, 1"), "h100", "OCC304") == []
    memory = COUNTED.format(40, "512, 1").replace("p[0] = 1", "__shared__ int s[12000]; s[p[2]] = 1; p[1] = s[0]")
    assert found(memory, "sm_86", "OCC304") == []


@pytest.mark.parametrize(
    ("bounds", "argument", "edited"),
    [
        ("N", 2048, False),
        ("2048", 2048, True),
        ("256, N", 12, False),
        ("256, 12", 12, True),
        ("N", 32, False),
        ("32", 32, True),
    ],
)
def test_a_parameter_of_a_template_is_not_overwritten(bounds: str, argument: int, edited: bool) -> None:
    """Its other instances have other bounds; a number is that of all."""
    source = (
        f"template <int N> __global__ void __launch_bounds__({bounds}) k(float* p) {{ p[0] = N; }}\n"
        f"void f(float* p) {{ k<{argument}><<<1, 64>>>(p); }}\n"
    )
    fixes = [fix for _, _, it in rule_findings(view_of(source, "sm_80")) for fix in it.fixes]
    said = ("Set the bounds", "Lower the bounds", "Raise the bounds", "Set minBlocks", "Drop minBlocks")
    named = [fix for fix in fixes if fix.title.startswith(said)]
    assert named and all(bool(fix.edits) == edited for fix in named)
