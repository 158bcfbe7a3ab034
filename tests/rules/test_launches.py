"""Rules about launches: OCC001, OCC003, OCC005, OCC006, OCC107, OCC303."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics, rule_findings
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import check, text_of, view_of

DEVICES = pytest.mark.parametrize("device", ["h100", "sm_86", "sm_75"])


@DEVICES
def test_too_many_threads(device: str) -> None:
    check(
        """
        constexpr int SIDE = 64;
        __global__ void scale(float* p) { p[threadIdx.x] *= 2; }
        // occupancy: block=64x32
        //            ^^^^^^^^^^^ error OCC001: 2048 threads per block; a block has at most 1024
        __global__ void stated(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p, int n) {
          scale<<<1, 1025>>>(p);
        //           ^^^^ error OCC001: 1025 threads per block; a block has at most 1024
          scale<<<1, dim3(SIDE, SIDE)>>>(p);
        //           ^^^^^^^^^^^^^^^^ error OCC001: 4096 threads per block; a block has at most 1024
          scale<<<1, dim3(1, 1, 128)>>>(p);
        //           ^^^^^^^^^^^^^^^ error OCC001: 128 threads in z; a block has at most 64 in that dimension
        }
        """,
        device,
        only="OCC0",
    )


def test_a_size_of_nothing_by_a_test_that_may_never_hold() -> None:
    """Run with `n` of 384, no such launch is reached."""
    check(
        """
        __global__ void scale(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p, int n, dim3 b) {
          switch (n) {
            case 0: scale<<<1, dim3(n)>>>(p); break;
            case 1: scale<<<n - 1, 64>>>(p); break;
            case 2: scale<<<1, 0>>>(p);
        //                     ^ error OCC006: a block of 0 threads: the launch fails
          }
          if (n == 0 && b.x == 0) {
            int m = n * 2;
            scale<<<1, m>>>(p);
            scale<<<b, 64>>>(p);
          }
          n = 0;
          scale<<<1, n>>>(p);
        //           ^ error OCC006: a block of 0 threads: the launch fails
        }
        """,
        "h100",
        only="OCC0",
    )


def test_a_size_that_is_chosen_among_several_that_are_all_too_large() -> None:
    check(
        """
        __global__ void __launch_bounds__(128) k(float* p) { p[threadIdx.x] *= 2; }
        __global__ void scale(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p, bool w) {
          k<<<1, w ? 512 : 256>>>(p);
        //       ^^^^^^^^^^^^^ error OCC005: 256 or more threads; the kernel's launch bounds allow 128: the launch fails
          k<<<1, w ? 256 : 128>>>(p);
          scale<<<1, w ? 4096 : 2048>>>(p);
        //           ^^^^^^^^^^^^^^^ error OCC001: 2048 or more threads per block; a block has at most 1024
          scale<<<1, w ? 2048 : 256>>>(p);
          int z = w ? 128 : 256;
          scale<<<1, dim3(1, 1, z)>>>(p);
        //           ^^^^^^^^^^^^^ error OCC001: 128 or more threads in z; a block has at most 64 in that dimension
        }
        """,
        "h100",
        only="OCC0",
    )


def test_bounds_are_raised_to_the_largest_of_the_sizes_that_a_launch_may_have() -> None:
    kernel = "__global__ void __launch_bounds__(128) step(float* p) { p[threadIdx.x] *= 2; }\n"
    source = f"{kernel}void run(float* p, bool wide) {{ step<<<1, wide ? 512 : 256>>>(p); }}\n"
    offered = actions(view_of(source), source.index("wide ?"), source.index(">>>"))
    title = next(it.title for it in offered if it.code == "OCC005")
    assert title.startswith("Raise the bounds to 512 threads: ")


def test_a_program_that_chooses_its_size() -> None:
    """As NVIDIA's reduction sample does; each instance of the function around a launch says the same of it once."""
    source = """
        template <class T, int N> __global__ void sum(T* p) {{ p[threadIdx.x] += N; }}
        template <class T> void run(T* p, int threads) {{
          switch (threads) {{
            case 1024:
              sum<T, 1024><<<1, threads>>>(p);
        //                      ^^^^^^^ {severity} OCC001: 1024 threads per block; a block has at most 512
              break;
            {other}
          }}
        }}
        template void run<int>(int*, int);
        template void run<float>(float*, int);
        """
    smaller = "case 512: sum<T, 512><<<1, threads>>>(p); break;"
    check(source.format(severity="error", other=smaller), "sm_10", only="OCC0")
    check(source.format(severity="error", other="default: sum<T, 9><<<1, threads>>>(p);"), "sm_10", only="OCC0")
    plain = "\n".join(line for line in source.splitlines() if "OCC001" not in line)
    check(plain.format(other=smaller), "h100", "sm_10")  # it may well run there


@DEVICES
def test_as_many_threads_as_allowed(device: str) -> None:
    check(
        """
        __global__ void scale(float* p) { p[threadIdx.x] *= 2; }
        // occupancy: block=32x32
        __global__ void stated(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p, int n) {
          scale<<<4096, 1024>>>(p);
          scale<<<1, dim3(4, 4, 64)>>>(p);
          scale<<<1, n>>>(p);
          scale<<<1, dim3(n, 1024)>>>(p);
        }
        """,
        device,
    )


def test_bounds_for_a_block_that_cannot_be() -> None:
    """As ptxas 13.0 does: (2048) gives 32 registers on sm_90, and is ignored with a warning on sm_86."""
    bounds = "__global__ void __launch_bounds__({}) wide(float* p) {{ p[threadIdx.x] *= 2; }}\n"
    run = "void run(float* p) { wide<<<1, 1024>>>(p); }\n"
    squiggle = "//" + " " * 32 + "^^^^ warning OCC001: bounds for {} threads; a block has at most 1024: {}\n"

    def drawn(said: str, threads: int, effect: str) -> str:
        return bounds.format(said) + squiggle.format(threads, effect) + run

    check(drawn("2048", 2048, "registers are needlessly capped at 32"), "h100")
    check(drawn("2048", 2048, "ptxas ignores the bounds on sm_86"), "sm_86")
    check(drawn("1536, 0", 1536, "registers are needlessly capped at 40"), "sm_86")
    check(drawn("1025", 1025, "ptxas ignores the bounds on sm_75"), "sm_75")
    for device in ("h100", "sm_86", "sm_75"):
        check(bounds.format("1024") + run, device)
    view = view_of(bounds.format("2048") + run, "h100")
    (fix,) = [fix for _, _, finding in rule_findings(view) for fix in finding.fixes]
    assert fix.title == "Set the bounds to 1024 threads: at most 64 registers (now 32)"
    assert diagnostics(view_of(bounds.format("2048") + run, "h100", "sm_86"))[0].code == "OCC001"
    assert len(diagnostics(view_of(bounds.format("2048") + run, "h100", "sm_86"))) == 1


def test_a_launch_of_a_kernel_with_fixed_size_counts_blocks() -> None:
    check(
        """
        __global__ void __block_size__((128, 1, 1)) fixed(float* p) { p[threadIdx.x] *= 2; }
        __global__ void __block_size__((64, 32, 1)) broad(float* p) { p[threadIdx.x] *= 2; }
        //              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error OCC001: 2048 threads per block; a block has at most 1024
        void run(float* p) { fixed<<<dim3(2048, 8, 8), 1>>>(p); fixed<<<1, 4096>>>(p); }
        """
    )


@DEVICES
def test_registers_that_do_not_fit(device: str) -> None:
    check(
        """
        // occupancy: regs=156
        __global__ void step(float* p) { p[threadIdx.x] *= 2; }
        // occupancy: regs=65
        __global__ void edge(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p) {
          step<<<1, 512>>>(p);
        //          ^^^ error OCC003: 79872 registers requested; a block may have 65536 (156 × 512 threads)
          edge<<<1, 993>>>(p);
        //          ^^^ error OCC003: 73728 registers requested; a block may have 65536 (65 × 993 threads, rounded up)
        }
        """,
        device,
        only="OCC0",
    )


@DEVICES
def test_registers_that_fit(device: str) -> None:
    check(
        """
        // occupancy: regs=128
        __global__ void step(float* p) { p[threadIdx.x] *= 2; }
        __global__ void unknown(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p) { step<<<1, 512>>>(p); unknown<<<1, 1024>>>(p); }
        """,
        device,
        only="OCC0",
    )


def test_a_launch_that_fails_is_an_error_beside_one_that_runs() -> None:
    check(
        """
        // occupancy: regs=156
        __global__ void step(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p, bool big) {
          if (big) step<<<1, 512>>>(p);
        //                   ^^^ error OCC003: 79872 registers requested; a block may have 65536 (156 × 512 threads)
          else step<<<1, 256>>>(p);
        }
        """
    )


def test_counts_of_another_architecture_prove_nothing(tmp_path: Path) -> None:
    source = "__global__ void step(float* p) { p[threadIdx.x] *= 2; }\nvoid run(float* p) { step<<<1, 512>>>(p); }\n"
    (tmp_path / "a.cu").write_text(source)
    (tmp_path / "a.cu.occupancy.yaml").write_text("kernels:\n  step: {sm_86: {registers: 156}}\n")
    check(source, "sm_90", path=tmp_path / "a.cu")
    squiggle = "//                             ^^^ error OCC003: 79872 registers requested; a block may have 65536"
    check(f"{source}{squiggle} (156 × 512 threads)\n", "sm_86", path=tmp_path / "a.cu")


@DEVICES
def test_a_launch_beyond_the_launch_bounds(device: str) -> None:
    check(
        """
        #define MOST 256
        __global__ void __launch_bounds__(MOST) step(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p) {
          step<<<1, 257>>>(p);
        //          ^^^ error OCC005: 257 threads; the kernel's launch bounds allow 256: the launch fails
          step<<<1, dim3(32, 64)>>>(p);
        //          ^^^^^^^^^^^^ error OCC005: 2048 threads; the kernel's launch bounds allow 256: the launch fails
        }
        """,
        device,
    )


@DEVICES
def test_a_launch_beyond_the_launch_bounds_of_an_instance(device: str) -> None:
    check(
        """
        template <int B> __global__ void __launch_bounds__(B) of(float* p) { p[threadIdx.x] = B; }
        template <class C> __global__ void __launch_bounds__(C::B) by(float* p, C c) { p[threadIdx.x] = 1; }
        template <int N> struct Half { static constexpr int B = N / 2; };
        void run(float* p, int n) {
          of<128><<<n, 256>>>(p);
        //             ^^^ error OCC005: 256 threads; the kernel's launch bounds allow 128: the launch fails
          of<256><<<n, 256>>>(p);
          of<512><<<n, n>>>(p);
          by<<<n, 256>>>(p, Half<256>());
        //        ^^^ error OCC005: 256 threads; the kernel's launch bounds allow 128: the launch fails
          by<<<n, 256>>>(p, Half<512>());
        }
        template <int B> void each(float* p) {
          of<B><<<1, 384>>>(p);
        //           ^^^ error OCC005: 384 threads; the kernel's launch bounds allow 256: the launch fails
          if (B > 256) of<B><<<1, 512>>>(p);
        }
        template void each<256>(float*);
        template void each<512>(float*);
        """,
        device,
    )


def test_no_edit_of_one_launch_or_of_the_bounds_of_all_is_offered_where_those_of_instances_differ() -> None:
    kernel = "template <int B> __global__ void __launch_bounds__(B) of(float* p) { p[threadIdx.x] = B; }\n"
    source = f"{kernel}void run(float* p) {{ of<128><<<1, 256>>>(p); of<256><<<1, 256>>>(p); }}\n"
    view = view_of(source)
    assert [it.code for it in diagnostics(view)] == ["OCC005"]
    offered = actions(view, source.index("256>>>"), source.index(">>>"))
    assert [it.title for it in offered if it.code == "OCC005"] == ["Ignore OCC005 for this kernel"]


@DEVICES
def test_launches_that_launch_bounds_do_not_forbid(device: str) -> None:
    check(
        """
        template <int N> __global__ void __launch_bounds__(N) of(float* p) { p[threadIdx.x] *= 2; }
        template <> __global__ void __launch_bounds__(512) of<64>(float* p);
        template <int N> __global__ void __launch_bounds__(N) alone(float* p) { p[threadIdx.x] *= 2; }
        template <> __global__ void __launch_bounds__(512) alone<64>(float* p);
        template <int N> __global__ void __launch_bounds__(N) one(float* p) { p[threadIdx.x] *= 2; }
        template <> __global__ void __launch_bounds__(512) one<64>(float* p) { p[threadIdx.x] *= 3; }
        template <int N> __global__ void __launch_bounds__(N) two(float* p) { p[threadIdx.x] *= 2; }
        template <int N, int M = 8> __global__ void __launch_bounds__(N * M) two(float* p) { p[threadIdx.x] *= 3; }
        __global__ void __launch_bounds__(256) step(float* p) { p[threadIdx.x] *= 2; }
        __global__ void __launch_bounds__(0) zero(float* p) { p[threadIdx.x] *= 2; }
        namespace here { __global__ void __launch_bounds__(64) twin(float* p) { p[threadIdx.x] *= 2; } }
        #ifdef SMALL
        #define LIMIT __launch_bounds__(64)
        #else
        #define LIMIT
        #endif
        __global__ void LIMIT maybe(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p, int n) {
          of<512><<<1, 512>>>(p);
          of<ELSEWHERE><<<1, 512>>>(p);
          of<64><<<1, 512>>>(p);
          alone<64><<<1, 512>>>(p);
          one<64><<<1, 512>>>(p);
          two<64><<<1, 512>>>(p);
          step<<<1, 256>>>(p);
          step<<<1, n>>>(p);
          zero<<<1, 512>>>(p);
          there::twin<<<1, 512>>>(p);
          maybe<<<1, 512>>>(p);
        }
        """,
        device,
    )


SHARED = (
    "__global__ void step(float* p) {{ extern __shared__ float s[]; p[0] = s[1]; }}\n{}\nvoid run(float* p) {{\n{}}}\n"
)


@pytest.mark.parametrize("device", ["h100", "sm_86"])
def test_a_launch_that_must_opt_in(device: str) -> None:
    launch = "  step<<<1, 256, 49153>>>(p);\n"
    squiggle = "//               ^^^^^ error OCC107: the launch needs 49153 B of shared memory; a block has 49152"
    check(SHARED.format("", f"{launch}{squiggle} unless the kernel opts in\n"), device, only="OCC107")


_CALL = "cudaFuncSetAttribute(step, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);"


@pytest.mark.parametrize(
    "off",
    [
        f"// {_CALL}",
        f"/* void prepare() {{ {_CALL} }} */",
        f"#if 0\nvoid prepare() {{ {_CALL} }}\n#endif",
        f"void prepare() {{\n#if 0\n  {_CALL}\n#endif\n}}",
        f"#define LARGE 0\nvoid prepare() {{\n#if LARGE\n  {_CALL}\n#endif\n}}",
        "#if 0\nauto chosen = &step;\n#endif",
        # What is said of another kernel.
        f"__global__ void other(float* p) {{}}\nvoid prepare() {{ {_CALL.replace('step', 'other')} }}",
        # What sets something else, or only asks.
        "void prepare() { cudaFuncSetAttribute(step, cudaFuncAttributePreferredSharedMemoryCarveout, 100); }",
        "void prepare(int n) { cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, step, 256, 65536); }",
        "void prepare(cudaFuncAttributes a) { cudaFuncGetAttributes(&a, step); }",
        "void prepare(float* p) { auto f = step; f<<<1, 64>>>(p); }",
    ],
)
def test_a_call_that_no_compiler_sees_opts_nothing_in(off: str) -> None:
    launch = "  step<<<1, 256, 65536>>>(p);\n"
    squiggle = "//               ^^^^^ error OCC107: the launch needs 65536 B of shared memory; a block has 49152"
    check(SHARED.format(off, f"{launch}{squiggle} unless the kernel opts in\n"), only="OCC107")


@pytest.mark.parametrize(
    "mention",
    [
        f"#if 1\nvoid prepare() {{ {_CALL} }}\n#endif",
        f"#ifdef LARGE\nvoid prepare() {{ {_CALL} }}\n#endif",
        f"void prepare() {{\n#if LARGE\n  {_CALL}\n#endif\n}}",
        "void prepare() { cudaFuncSetAttribute(step, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536); }",
        "void prepare(void (*k)(float*)) { cudaFuncSetAttribute(k, ATTRIBUTE, 65536); }",
        "void prepare() { allow_shared(step, 65536); }",
        f"__global__ void a(float* p) {{}}\nvoid prepare(void (*a)(float*)) {{ {_CALL.replace('step', 'a')} }}",
        f"#define ALLOW(k) {_CALL.replace('step', 'k')}\nvoid prepare() {{ ALLOW(step) }}",
        f"template <class K> void prepare(K k) {{ {_CALL.replace('step', 'k')} }}",
        f"void prepare() {{ {_CALL.replace('step', 'far')} }}",
        "auto chosen = &step;",
        "void prepare() { auto f = step; allow(f); }",
        f"void prepare() {{ auto f = step; {_CALL.replace('step', 'f')} }}",
    ],
)
def test_a_launch_whose_kernel_may_be_opted_in(mention: str) -> None:
    check(SHARED.format(mention, "  step<<<1, 256, 65536>>>(p);\n"), only="OCC107")


@pytest.mark.parametrize(
    ("calls", "fails"),
    [
        (_CALL.replace("step", "wide<float>"), {"double"}),
        (_CALL.replace("step", "wide<float>") + _CALL.replace("step", "wide<double>"), set()),
        (_CALL.replace("step", "wide<T>"), set()),
        (_CALL.replace("step", "wide<float>") + "allow(wide<double>);", set()),
        (_CALL.replace("step", "wide<float>") + "auto f = wide<double>; f<<<1, 64>>>(0);", {"double"}),
        ("auto f = wide<float>;" + _CALL.replace("step", "f"), {"double"}),
        (_CALL.replace("step", "wide<float>").replace("65536", "65535"), {"float", "double"}),
    ],
)
def test_an_instance_opts_in_for_itself_alone(calls: str, fails: set[str]) -> None:
    head = "template <class T> __global__ void wide(T* p) { extern __shared__ char s[]; p[0] = s[threadIdx.x]; }"
    launches = {it: f"  wide<{it}><<<1, 256, 65536>>>(0);" for it in ("float", "double")}
    around = "template <class T> " if "<T>" in calls else ""
    view = view_of("\n".join((head, f"{around}void run() {{ {calls}", *launches.values(), "}\n")))
    found = {view.text.line_of(it.start) for it in diagnostics(view) if it.code == "OCC107"}
    assert found == {2 + [*launches].index(it) for it in fails}


@pytest.mark.parametrize(
    ("bytes_", "fails"),
    [
        ("65536", False), ("65535", True), ("1 << 16", False), ("n", False), ("n ? 65536 : 1024", False),
        ("65535);" + _CALL.replace("65536);", "98304"), False),
    ],
)  # fmt: skip
def test_a_kernel_that_opts_in_to_fewer_bytes(bytes_: str, fails: bool) -> None:
    prepare = f"void prepare(int n) {{ {_CALL.replace('65536', bytes_)} }}"
    view = view_of(SHARED.format(prepare, "  step<<<1, 256, 65536>>>(p);\n"), "h100")
    found = [it.message for it in diagnostics(view) if it.code == "OCC107"]
    assert found == ["65536 B of dynamic shared memory; the kernel opts in to 65535"] * fails
    assert (text_of(view.reports[0]) == "no launch: 65536>65535 B smem") == fails


def test_a_launch_in_a_header_whose_kernel_an_including_file_opts_in(tmp_path: Path) -> None:
    header = tmp_path / "step.cuh"
    header.write_text(SHARED.format("", "  step<<<1, 256, 65536>>>(p);\n"))
    main = tmp_path / "main.cu"
    project = Project(tmp_path, None, {"devices": ["h100"]})

    def found(text: str) -> list[str]:
        main.write_text(f'#include "step.cuh"\nint main() {{ {text} run(0); }}\n')
        project.read_sources(lambda: False, lambda done, total: None)
        view = OpenFile(header, "cuda", Text(header.read_bytes()), project).view()
        return [it.code for it in diagnostics(view)] if view else []

    assert found("") == ["OCC107"]
    assert found("cudaFuncSetAttribute(step, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);") == []


def test_launches_that_need_no_opt_in() -> None:
    launches = "  step<<<1, 256, 49152>>>(p);\n  step<<<1, 256, bytes>>>(p);\n  step<<<1, 256>>>(p);\n"
    check(SHARED.format("", launches), only="OCC107")


def test_static_bytes_count_with_dynamic_ones() -> None:
    check(
        """
        __global__ void step(float* p) {
          extern __shared__ float s[];
          __shared__ float t[256];
          t[threadIdx.x] = s[0]; __syncthreads(); p[0] = t[1];
        }
        void run(float* p) {
          step<<<1, 256, 48128>>>(p);
          step<<<1, 256, 48129>>>(p);
        //               ^^^^^ error OCC107: the launch needs 49153 B of shared memory; a block has 49152 unless the kernel opts in
        }
        """,  # noqa: E501
        only="OCC107",
    )


def test_more_than_opting_in_gives() -> None:
    prepare = "void prepare() { cudaFuncSetAttribute(step, cudaFuncAttributeMaxDynamicSharedMemorySize, 120000); }"
    launch = "  step<<<1, 256, 120000>>>(p);\n"
    squiggle = "//               ^^^^^^ error OCC107: the launch needs 120000 B of shared memory; a block on sm_86 may"
    check(SHARED.format(prepare, launch), "sm_90", only="OCC107")
    check(SHARED.format(prepare, f"{launch}{squiggle} have 101376\n"), "sm_86", only="OCC107")


OPENCL = """__kernel __attribute__((reqd_work_group_size({}, 1, 1))) {}
void scale(__global float* p) {{ p[get_global_id(0)] *= 2; }}
"""


@pytest.mark.parametrize(
    ("device", "size", "said", "expected"),
    [
        ("mi300x", 100, "", "28 lanes of the last wave idle (78.12% of lanes used)"),
        ("mi300x", 192, "", ""),
        ("mi300x", 127, "", "1 lane of the last wave idle (99.22% of lanes used)"),
        ("mi300x", 96, "", "32 lanes of the last wave idle (75% of lanes used)"),
        ("rx-7900-xtx", 96, "", ""),
        ("rx-7900-xtx", 32, "", ""),
        ("mi300x", 32, "", "32 lanes of their wave idle (50% of lanes used)"),
        ("mi300x", 1, "", ""),
        ("h100", 32, "", ""),
        ("h100", 16, "", "16 lanes of their warp idle (50% of lanes used)"),
        ("adreno-730", 64, "", ""),  # then the driver takes its narrow waves
        ("adreno-730", 32, "", "32 lanes of their wave idle (50% of lanes used)"),
        ("arc-b580", 8, "", "at least 8 lanes of their hardware thread idle (at most 50% of lanes used)"),
        ("iris-xe", 8, "", ""),
        ("mali-g78-mp14", 8, "", "8 lanes of their warp idle (50% of lanes used)"),
        ("mali-g78-mp14", 100, "", "12 lanes of the last warp idle (89.29% of lanes used)"),
        ("mali-g78-mp14", 112, "", ""),
        ("adreno-730", 200, "", "56 lanes of the last wave idle (78.12% of lanes used)"),
        ("adreno-730", 256, "", ""),
        (
            "arc-b580",
            100,
            "intel_reqd_sub_group_size(16)",
            "12 lanes of the last hardware thread idle (89.29% of lanes used)",
        ),
        ("arc-b580", 112, "intel_reqd_sub_group_size(16)", ""),
        (
            "arc-b580",
            112,
            "intel_reqd_sub_group_size(32)",
            "16 lanes of the last hardware thread idle (87.5% of lanes used)",
        ),
        # 16 or 32, as the compiler chooses; Iris Xe: 8, 16 or 32.
        ("arc-b580", 100, "", "at least 12 lanes of the last hardware thread idle (at most 89.29% of lanes used)"),
        ("arc-b580", 112, "", ""),
        ("iris-xe", 100, "", "at least 4 lanes of the last hardware thread idle (at most 96.15% of lanes used)"),
    ],
)
def test_idle_lanes_of_other_vendors(device: str, size: int, said: str, expected: str) -> None:
    source = OPENCL.format(size, f"__attribute__(({said}))" if said else "")
    project = Project(None, None, {"devices": [device]})
    view = OpenFile(Path("/nowhere/k.cl"), "", Text(source.encode()), project).view()
    assert view is not None
    found = [it.message for it in diagnostics(view) if it.code == "OCC303"]
    assert found == ([f"{size} threads leave {expected}"] if expected else [])


def test_less_than_a_sub_group_that_is_meant() -> None:
    """All threads of the launch in one warp, or the rest of what larger blocks do."""
    check(
        """
        __global__ void step(float* p) { p[threadIdx.x] *= 2; }
        __global__ void rest(float* p) { p[threadIdx.x] *= 2; }
        __global__ void few(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p, int n) {
          step<<<n, 16>>>(p);
        //          ^^ hint OCC303: 16 threads leave 16 lanes of their warp idle (50% of lanes used)
          few<<<1, 16>>>(p);
          few<<<4, 8>>>(p);
          n > 9 ? rest<<<n, 256>>>(p) : rest<<<n, 16>>>(p);
        }
        """,
        "h100",
    )


@DEVICES
def test_idle_lanes(device: str) -> None:
    check(
        """
        __global__ void step(float* p) { p[threadIdx.x] *= 2; }
        __global__ void __launch_bounds__(100) bounded(float* p) { p[threadIdx.x] *= 2; }
        // occupancy: intended
        __global__ void meant(float* p) { p[threadIdx.x] *= 2; }
        __global__ void __launch_bounds__(128, 1) busy(float* p) {
          asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
          p[threadIdx.x] *= 2;
        }
        void run(float* p) {
          step<<<1, 100>>>(p);
        //          ^^^ hint OCC303: 100 threads leave 28 lanes of the last warp idle (78.12% of lanes used)
          step<<<1, 1>>>(p);
          step<<<1, 96>>>(p);
          meant<<<1, 100>>>(p);
          busy<<<1, 100>>>(p);
        }
        """,
        device,
    )


@pytest.mark.parametrize(
    ("launch", "said"),
    [
        ("1, 0", "OCC006: a block of 0 threads: the launch fails"),
        ("0, 256", "OCC006: a grid of 0 blocks: the launch fails"),
        ("8, dim3(16, 0)", "OCC006: a block of 0 threads: the launch fails"),
        ("dim3(8, 0), 256", "OCC006: a grid of 0 blocks: the launch fails"),
        ("1, 4294967296", "OCC006: a block of 0 threads: the launch fails"),
        ("-1, 1", "OCC006: 4294967295 blocks in x; a grid has at most 2147483647 in that dimension"),
        ("dim3(1, 65536), 1", "OCC006: 65536 blocks in y; a grid has at most 65535 in that dimension"),
        ("1, -1", "OCC001: 4294967295 threads per block; a block has at most 1024"),
        ("1, dim3(64, -1)", "OCC001: 274877906880 threads per block; a block has at most 1024"),
        ("1, 256, -4", "OCC107: the launch needs 18446744073709551612 B of shared memory"),
    ],
)
def test_launches_that_cannot_be(launch: str, said: str) -> None:
    """Sizes are unsigned numbers of 32 bits, of shared memory of 64: nvcc says what becomes of the others."""
    kernel = "__global__ void k(float* p) { extern __shared__ float s[]; p[threadIdx.x] = s[0]; }\n"
    (found,) = diagnostics(view_of(f"{kernel}void run(float* p) {{ k<<<{launch}>>>(p); }}\n"))
    assert f"{found.code}: {found.message}".startswith(said)


def test_launches_that_are_just_possible() -> None:
    check(
        """
        constexpr int N = 512, REST = N % 256;
        __global__ void k(float* p) { p[threadIdx.x] = 1; }
        void run(float* p, int n) {
          k<<<2147483647, 1>>>(p);
          k<<<dim3(1, 65535, 65535), 1>>>(p);
          k<<<1, 4294967552>>>(p);
          k<<<n, n>>>(p);
          if (REST > 0) k<<<1, REST>>>(p);
          k<<<1, 18446744073709551616>>>(p);
        }
        """,
        only="OCC0",
    )
    check(
        """
        __global__ void k(float* p) { p[threadIdx.x] = 1; }
        void run(float* p, bool all) {
          if (all) k<<<4, 256>>>(p); else k<<<0, 256>>>(p);
        //                                    ^ error OCC006: a grid of 0 blocks: the launch fails
        }
        """,
        only="OCC0",
    )


@pytest.mark.parametrize(
    ("name", "device", "attribute", "said"),
    [
        ("k.cu", "h100", "__block_size__((0, 1, 1))", "0 threads: the compiler accepts only positive numbers"),
        ("k.cu", "h100", "__maxnreg__(-1)", "-1 registers: the compiler accepts only positive numbers"),
        ("k.hip", "mi300x", "__attribute__((amdgpu_flat_work_group_size(256, 128)))", "at least 256 and at most 128"),
        ("k.hip", "mi300x", "__attribute__((amdgpu_flat_work_group_size(0, 256)))", "at least 0 and at most 256"),
        ("k.hip", "mi300x", "__attribute__((amdgpu_flat_work_group_size(1, 4294967296)))", "4294967296 threads: the"),
        ("k.cl", "arc-b580", "__attribute__((reqd_work_group_size(-1, 1, 1)))", "-1 threads: the compiler accepts"),
        ("k.cl", "mali-g78", "__attribute__((reqd_work_group_size(8, 0, 1)))", "0 threads: the compiler accepts"),
        ("k.cl", "arc-b580", "__attribute__((intel_reqd_sub_group_size(0)))", "0 threads per sub-group: the"),
        ("k.cu", "h100", "__launch_bounds__(-1)", ""),
        ("k.cu", "h100", "__launch_bounds__(0, 1)", ""),
        ("k.cu", "h100", "__launch_bounds__(256, -1)", ""),
        ("k.cu", "h100", "__launch_bounds__(4294967552)", ""),
        ("k.hip", "mi300x", "__launch_bounds__(256, -1)", ""),
        ("k.hip", "mi300x", "__attribute__((amdgpu_flat_work_group_size(0, 0)))", ""),
        ("k.hip", "mi300x", "__attribute__((amdgpu_flat_work_group_size(1, -1)))", ""),
    ],
)
def test_attributes_that_no_compiler_takes(name: str, device: str, attribute: str, said: str) -> None:
    """nvcc 13.0 and clang refuse them; what they ignore is read as they do."""
    kernel = "__kernel void k(__global float* p)" if name.endswith(".cl") else "__global__ void k(float* p)"
    text = Text(f"{attribute} {kernel} {{ p[0] = 1; }}\n".encode())
    view = OpenFile(Path(name), "", text, Project(None, None, {"devices": [device]})).view()
    assert view is not None
    found = [it for it in diagnostics(view) if it.code < "OCC1"]
    assert [(it.code, it.severity) for it in found] == ([("OCC006", "error")] if said else [])
    assert not said or found[0].message.startswith(said)


def test_bounds_are_numbers_of_32_bits() -> None:
    bounded = "__global__ void __launch_bounds__({}) k(float* p) {{ p[0] = 1; }}\n"
    sizes = {
        it: view_of(bounded.format(it)).reports[0].size.sizes for it in ("4294967552", "2147483648", "-1", "256, -1")
    }
    assert sizes == {"4294967552": (256,), "2147483648": (), "-1": (), "256, -1": (256,)}


def test_a_launch_of_several_sizes_is_not_blamed_for_one_of_them() -> None:
    """Which of them is the usual one, nothing tells."""
    check(
        """
        __global__ void scale(float* p) { p[threadIdx.x] *= 2; }
        template <int N> void run(float* p) { scale<<<640, N>>>(p); }
        template void run<100>(float*);
        template void run<140>(float*);
        __global__ void twice(float* p) { p[threadIdx.x] *= 2; }
        template <int N> void rerun(float* p) {
          twice<<<640, N>>>(p);
        //             ^ hint OCC303: 100 threads leave 28 lanes of the last warp idle (78.12% of lanes used)
        }
        template void rerun<100>(float*);
        """,
        "h100",
        only="OCC303",
    )
