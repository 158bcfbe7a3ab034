"""Rules about what people say: OCC105, OCC203, OCC301, OCC305 and occupancy-directive."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from occupancy_lsp.features.diagnostics import diagnostics
from tests.support import check, view_of

RUN = "void run(float* p, int n) { k<<<1, 256>>>(p); }\n"
KERNEL = "__global__ void k(float* p) { p[0] = 1; }\n" + RUN


def broken(contract: str, *devices: str, regs: int = 66, kernel: str = KERNEL) -> list[str]:
    source = f"// occupancy: regs={regs}\n// occupancy: expect {contract}\n{kernel}"
    return [it.message for it in diagnostics(view_of(source, *devices)) if it.code == "OCC105"]


@pytest.mark.parametrize(
    ("contract", "message"),
    [
        (">= 50%", "contract >= 50% is broken: 37.5% on h100"),
        ("> 37.5%", "contract > 37.5% is broken: 37.5% on h100"),
        ("blocks_per_sm >= 4", "contract blocks_per_sm >= 4 is broken: 3 on h100"),
        ("blocks_per_sm == 4", "contract blocks_per_sm == 4 is broken: 3 on h100"),
        ("blocks_per_sm <= 2", "contract blocks_per_sm <= 2 is broken: 3 on h100"),
        (">= 60% on sm_86", "contract >= 60% is broken: 50% on sm_86"),
        (">= 40% on sm_86, H100", "contract >= 40% is broken: 37.5% on h100"),
    ],
)
def test_a_broken_contract(contract: str, message: str) -> None:
    assert broken(contract) == [message]


@pytest.mark.parametrize(
    "contract",
    [">= 37.5%", "blocks_per_sm >= 3", "blocks_per_sm == 3", "blocks_per_sm < 4", ">= 50% on sm_86", ">= 90% on zonk"],
)
def test_a_kept_contract(contract: str) -> None:
    assert broken(contract) == []


def test_a_contract_of_each_chosen_device() -> None:
    assert broken(">= 40%", "sm_86", "h100") == []
    assert broken(">= 40%", "h100", "sm_86") == ["contract >= 40% is broken: 37.5% on h100"]


@pytest.mark.parametrize("contract", ["blocks_per_sm <= 2", "blocks_per_sm >= 3", "blocks_per_sm == 3"])
def test_a_kernel_that_runs_in_clusters_has_an_upper_bound(contract: str) -> None:
    clustered = KERNEL.replace("void k", "void __cluster_dims__(1, 1, 1) k", 1)
    several = clustered.replace("(1, 1, 1)", "(4, 1, 1)").replace("<<<1", "<<<4")
    assert broken(contract, kernel=several) == []
    assert broken("blocks_per_sm <= 2", kernel=clustered) != []
    assert broken("blocks_per_sm >= 4", kernel=several) == ["contract blocks_per_sm >= 4 is broken: at most 3 on h100"]


@pytest.mark.parametrize(
    "kernel",
    [
        "__global__ void k(float* p) { p[0] = 1; }",  # its size is not known
        "__global__ void __launch_bounds__(1024) k(float* p) { p[0] = 1; }",  # smaller blocks may do better
        "__global__ void k(float* p) { p[0] = 1; }\nvoid run(float* p, int n) { k<<<1, n>>>(p); }",
        f"__global__ void k(float* p) {{ __shared__ float s[12000]; s[0] = p[0]; }}\n{RUN}",  # the array is dropped
    ],
)
def test_a_contract_that_cannot_be_judged(kernel: str) -> None:
    assert broken(">= 90%", regs=32, kernel=kernel) == []


def test_a_file_that_differs_by_architecture_is_judged_on_the_selected_device() -> None:
    kernel = f"#if __CUDA_ARCH__ >= 900\n#define N 1\n#else\n#define N 2\n#endif\n{KERNEL}"
    assert broken(">= 60% on sm_86", "h100", kernel=kernel) == []
    assert broken(">= 60% on sm_86", "sm_86", kernel=kernel) == ["contract >= 60% is broken: 50% on sm_86"]


def test_an_open_input_breaks_a_contract_only_if_its_best_does() -> None:
    kernel = "__global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[1]; }\n"
    assert broken(">= 40%", kernel=f"{kernel}void run(float* p, int n) {{ k<<<1, 256, n>>>(p); }}") == [
        "contract >= 40% is broken: at most 37.5% on h100"
    ]
    assert broken(">= 30%", kernel=f"{kernel}void run(float* p, int n) {{ k<<<1, 256, n>>>(p); }}") == []


def test_contracts_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / ".occupancy.yaml").write_text('contracts:\n  "k*": ">= 50% on sm_90"\n  other: ">= 90%"\n')
    check(
        """
        // occupancy: regs=66
        __global__ void k(float* p) { p[0] = 1; }
        //              ^ warning OCC105: contract >= 50% is broken: 37.5% on sm_90 (.occupancy.yaml:2)
        void run(float* p) { k<<<1, 256>>>(p); }
        """,
        path=tmp_path / "a.cu",
        only="OCC1",
    )


def test_a_threshold_of_ones_own() -> None:
    source = f"// occupancy: regs=66\n{KERNEL}"
    drawn = source.replace(
        "1; }\n", "1; }\n//              ^ information OCC203: 37.5%, below the threshold of 40%\n", 1
    )
    check(source, only="OCC2")
    check(drawn, settings={"threshold": 40}, only="OCC2")
    check(source, settings={"threshold": 37.5}, only="OCC2")
    check(source, "sm_86", settings={"threshold": 40}, only="OCC2")
    check(f"// occupancy: intended\n{source}", settings={"threshold": 40}, only="OCC2")


def near(regs: int, device: str, static: int = 0, *, threads: int = 256) -> list[str]:
    array = f"__shared__ char s[{static}]; s[threadIdx.x] = p[0]; __syncthreads(); p[0] = s[1];" if static else ""
    source = (
        f"// occupancy: regs={regs}\n__global__ void k(float* p) {{ {array} }}\nvoid f() {{ k<<<1, {threads}>>>(0); }}"
    )
    return [it.message for it in diagnostics(view_of(source, device)) if it.code == "OCC301"]


def test_near_another_block() -> None:
    assert near(66, "h100") == ["2 fewer registers (≤ 64) would allow 4 resident blocks (50%), now 3"]
    assert near(68, "sm_86") == ["4 fewer registers (≤ 64) would allow 4 resident blocks (66.67%), now 3"]
    assert near(65, "h100") == ["1 fewer register (≤ 64) would allow 4 resident blocks (50%), now 3"]
    assert near(69, "h100") == near(64, "h100") == []
    message = "fewer bytes of shared memory (≤ 45568) would allow 5 resident blocks (62.5%), now 4"
    assert near(16, "h100", 45568 + 512) == [f"512 {message}"]
    assert near(16, "h100", 45568 + 528) == near(16, "h100", 45568) == []


def test_a_cliff_needs_a_count() -> None:
    check(KERNEL)
    check("// occupancy: regs=66\n__global__ void k(float* p) { p[0] = 1; }\nvoid f(int n) { k<<<1, n>>>(0); }\n")


def test_counts_grow_stale(tmp_path: Path) -> None:
    source = "__global__ void k(float* p) { p[0] = 1; }\n"
    path, log = tmp_path / "a.cu", tmp_path / "build.log"
    path.write_text(source)
    log.write_text(
        "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z1kPf\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 8 registers, 360 bytes cmem[0]\n"
    )
    settings = {"sidecars": ["*.log"]}

    def said(text: str, device: str = "sm_90") -> list[str]:
        view = view_of(text, device, path=path, settings=settings)
        return [it.message.split(" (")[0] for it in diagnostics(view) if it.code == "OCC305"]

    os.utime(path, (1e9, 1e9))
    os.utime(log, (1.1e9, 1.1e9))
    assert said(source) == said("// a comment\n" + source) == []
    assert said(source.replace("1;", "2;")) == ["counts are stale: the kernel changed since build.log"]
    assert said(source.replace("1;", "2;"), "sm_86") == []
    assert said("// occupancy: regs=9\n" + source.replace("1;", "2;")) == []
    os.utime(path, (1.2e9, 1.2e9))
    assert said(source) == []  # what was compiled is remembered
    os.utime(log, (1.15e9, 1.15e9))  # a build that nobody saw
    assert said(source) == ["counts may be stale: the file was saved after build.log"]


def test_directives_that_say_nothing() -> None:
    check(
        """
        // occupancy: device=h1000
        //            ^^^^^^^^^^^^ warning occupancy-directive: unknown device 'h1000'
        // occupancy: frob=1 regs=300
        //            ^^^^^^ warning occupancy-directive: unknown key 'frob'
        //                   ^^^^^^^^ warning occupancy-directive: a thread has at most 255 registers on sm_90
        // occupancy: expect >= 5% on zonk
        //            ^^^^^^^^^^^^^^^^^^^^ warning occupancy-directive: unknown device 'zonk'
        // occupancy: ignore[OCC102, OCC9] why
        //            ^^^^^^^^^^^^^^^^^^^^^^^^ information occupancy-directive: OCC102 reports nothing here to ignore
        //            ^^^^^^^^^^^^^^^^^^^^^^^^ warning occupancy-directive: unknown rule OCC9
        __global__ void k(float* p) { p[0] = 1; }
        // occupancy: regs=40
        //            ^^^^^^^ warning occupancy-directive: no kernel follows this directive
        // occupancy: expect >= 50%
        //            ^^^^^^^^^^^^^ warning occupancy-directive: no kernel follows this directive
        // occupancy: intended
        //            ^^^^^^^^ information occupancy-directive: no kernel follows this directive
        """
    )


def test_a_contract_that_is_no_contract() -> None:
    view = view_of("// occupancy: expect 50%\n__global__ void k(float* p) { p[0] = 1; }\n")
    message = "write 'expect >= 50% on sm_90' or 'expect blocks_per_sm >= 4'"
    assert [(it.severity, it.message) for it in diagnostics(view)] == [("warning", message)]


def test_shared_memory_stated_against_the_text() -> None:
    check(
        """
        // occupancy: shared=2048 block=256
        //            ^^^^^^^^^^^ warning occupancy-directive: the text needs at least 4096 B
        __global__ void k(float* p) { __shared__ float t[1024]; t[threadIdx.x] = p[0]; __syncthreads(); p[1] = t[1]; }
        // occupancy: shared=64KiB
        //            ^^^^^^^^^^^^ warning occupancy-directive: a block may have at most 49152 B
        __global__ void j(float* p) { p[0] = 1; }
        // occupancy: shared=4KiB
        __global__ void i(float* p) { __shared__ float t[1024]; t[threadIdx.x] = p[0]; __syncthreads(); p[1] = t[1]; }
        """
    )


def test_directives_that_are_used() -> None:
    check(
        """
        // occupancy: ignore-file[OCC303] old code
        // occupancy: regs=80 ignore[OCC304] measured
        __global__ void __launch_bounds__(256, 1) k(float* p) { p[0] = 1; }
        // occupancy: ignore[OCC102] for Turing
        __global__ void __launch_bounds__(1024, 2) j(float* p) { p[0] = 1; }
        // occupancy: ignore[OCC301] depends on the build
        __global__ void i(float* p) { p[0] = 1; }
        void f() { k<<<1, 100>>>(0); }
        """,
        "sm_90",
        "sm_75",
    )
