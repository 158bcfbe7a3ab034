"""Hints drawn into the source: every row of the table in docs/hints.md."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hint_label import LONGEST
from occupancy_lsp.features.hints import hints, tooltip
from occupancy_lsp.features.plain import plain
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.session.view import View
from tests.support import check, text_of, view_of

_EVERYTHING = 1 << 30


def every(view: View) -> list[object]:
    return list(hints(view, 0, _EVERYTHING))


def drawn(source: str, *devices: str, path: Path | None = None) -> View:
    return check(source, *devices, only="none", hints=lambda view: hints(view, 0, _EVERYTHING), path=path)


def test_counts_known() -> None:
    drawn("""
        // occupancy: regs=64
        __global__ void k(float* p) { p[0] = 1; } /*: 50% · 4 blk/SM · regs*/
        void h() { k<<<1, 256>>>(p); }
    """)


def test_a_comment_between_parameters_and_body() -> None:
    drawn("""
        // occupancy: regs=64 block=256
        __global__ void k(int n, float* p) /*: 50% · 4 blk/SM · regs*/
        // computes (a + b)
        { p[0] = n; }
    """)


def test_full_occupancy_names_no_limiter() -> None:
    drawn("""
        // occupancy: regs=32 block=256
        __global__ void k(float* p) { p[0] = 1; } /*: 100% · 8 blk/SM*/
    """)


def test_only_bounds_known() -> None:
    drawn("""
        __global__ void __launch_bounds__(128, 12) k(float* p) { p[0] = 1; } /*: ≥75% at 128 · regs ≤40*/
    """)
    drawn("""
        __global__ void __launch_bounds__(128, 12) k(float* p) { p[0] = 1; } /*: ≥75% · regs ≤40*/
        void h() { k<<<1, 128>>>(p); }
    """)


def test_size_known_but_neither_count_nor_bounds() -> None:
    drawn("""
        __global__ void k(float* p) { p[0] = 1; } /*: 256 thr · 100% if ≤32 regs*/
        void h() { k<<<1, 256>>>(p); }
    """)


def test_bounds_that_cap_nothing_leave_the_budget() -> None:
    drawn("""
        __global__ void __launch_bounds__(256) k(float* p) { p[0] = 1; } /*: 100% at 256 if ≤32 regs*/
    """)


def test_dynamic_memory_open() -> None:
    drawn("""
        // occupancy: regs=64
        __global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[0]; } /*: 12.5–50% · smem?*/
        void h(int n) { k<<<1, 256, n>>>(p); }
    """)


def test_dynamic_memory_stated() -> None:
    drawn("""
        // occupancy: regs=64 dynamic_shared=64KiB
        __global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[0]; } /*: 37.5% · 3 blk/SM · smem*/
        void h(int n) { k<<<1, 256, n>>>(p); }
    """)


def test_static_memory_stated() -> None:
    drawn("""
        // occupancy: regs=32 block=256
        __global__ void j(float* p) { /*: 50–100% · smem?*/
            __shared__ typename cub::BlockHistogram<char, 256, 4, 256>::TempStorage temp; p[0] = *(float*)&temp;
        }
        // occupancy: regs=32 block=256 shared=48KiB
        __global__ void k(float* p) { /*: 50% · 4 blk/SM · smem*/
            __shared__ typename cub::BlockHistogram<char, 256, 4, 256>::TempStorage temp; p[0] = *(float*)&temp;
        }
    """)


def test_one_block_by_shared_memory() -> None:
    drawn("""
        // occupancy: regs=32 dynamic_shared=128KiB
        __global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[0]; } /*: 12.5% · 1 blk/SM · smem*/
        void h(int n) { k<<<1, 256, n>>>(p); }
    """)


def test_too_much_static_memory_never_launches() -> None:
    drawn("""
        // occupancy: regs=32 block=256
        __global__ void k(float* p) { /*: no launch: 65536>49152 B smem*/
            __shared__ float s[16384]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[0];
        }
    """)


def test_clusters_leave_an_upper_bound() -> None:
    drawn("""
        // occupancy: regs=64 block=256
        __global__ void __cluster_dims__(2, 1, 1) k(float* p) { p[0] = 1; } /*: ≤50% · 4 blk/SM · regs*/
    """)
    drawn("""
        __global__ void __cluster_dims__(2, 1, 1) k(float* p) { p[0] = 1; } /*: 256 thr · ≤8 blk/SM · clusters*/
        void h() { k<<<2, 256>>>(p); }
    """)
    drawn("""
        __global__ void __cluster_dims__(2, 1, 1) k(float* p) { p[0] = 1; } /*: ≤93.75% · clusters*/
        void h() { k<<<2, 384>>>(p); }
    """)


def test_a_macro_that_may_ask_for_clusters_leaves_an_upper_bound() -> None:
    drawn("""
        #if CUDART_VERSION >= 12000
        #define CL __cluster_dims__(8)
        #else
        #define CL
        #endif
        // occupancy: regs=64 block=256
        __global__ void CL k(float* p) { p[0] = 1; } /*: ≤50% · 4 blk/SM · regs*/
    """)


@pytest.mark.parametrize(
    "head", ["__cluster_dims__(1, 1, 1)", "__launch_bounds__(256, 1, 1)", "__launch_bounds__(256, 1, 0)"]
)
def test_a_cluster_of_one_block_is_none(head: str) -> None:
    drawn(f"""
        // occupancy: regs=64 block=256
        __global__ void {head} k(float* p) {{ p[0] = 1; }} /*: 50% · 4 blk/SM · regs*/
    """)


def test_a_block_size_annotation_is_exact_and_its_launch_counts_clusters() -> None:
    drawn("""
        // occupancy: regs=64
        __global__ void __block_size__((256, 1, 1)) k(float* p) { p[0] = 1; } /*: 50% · 4 blk/SM · regs*/
        void h() { k<<<dim3(8, 8, 8), 1, 0>>>(p); }
    """)


def test_cannot_launch() -> None:
    drawn("""
        // occupancy: regs=156
        __global__ void k(float* p) { p[0] = 1; } /*: no launch: 79872>65536 regs*/
        void h() { k<<<1, 512>>>(p); }
    """)


def test_a_launch_that_the_bounds_refuse() -> None:
    drawn("""
        __global__ void __launch_bounds__(128) k(float* p) { p[0] = 1; } /*: no launch: 256>128 threads*/
        void h() { k<<<1, 256>>>(p); }
    """)
    drawn("""
        // occupancy: regs=40 block=512
        __global__ void __launch_bounds__(128) k(float* p) { p[0] = 1; } /*: no launch: 512>128 threads*/
    """)
    # The kernel's figure is that of the launches that start.
    view = drawn("""
        __global__ void __launch_bounds__(128) k(float* p) { p[0] = 1; } /*: 128 thr · 100% if ≤32 regs*/
        void h() {
            k<<<1, 128>>>(p);
            k<<<1, 256>>>(p); /*: no launch: 256>128 threads*/
        }
    """)
    refused = next(it for it in hints(view, 0, _EVERYTHING) if it.label.startswith("no launch"))
    said = tooltip(view, refused.key or "")
    assert said is not None
    first, *rest = plain(said).split("\n")
    assert first == "k cannot launch on H100 SXM5 (sm_90): 256 threads per block, at most 128 by its launch bounds."
    assert not any("allows" in it or "→" in it for it in rest), rest


@pytest.mark.parametrize(("other", "most"), [("n", 128), ("n & 63", 63)])
def test_beside_a_launch_that_fails_the_kernel_s_hint_is_of_sizes_that_do_not(other: str, most: int) -> None:
    drawn(f"""
        __global__ void __launch_bounds__(128) k(float* p) {{ p[0] = 1; }} /*: 100% at {most} if ≤32 regs*/
        void h(float* p, int n) {{
            k<<<1, {other}>>>(p);
            k<<<1, 256>>>(p); /*: no launch: 256>128 threads*/
        }}
    """)


def test_a_launch_that_fails_in_one_instance_of_the_function_around_it() -> None:
    drawn("""
        // occupancy: regs=40
        __global__ void __launch_bounds__(128) k(float* p) { p[0] = 1; } /*: 50–75% · 2 sizes*/
        template <int N> void h(float* p) {
            k<<<1, N>>>(p); /*: 75% · 24 blk/SM · regs*/
            k<<<1, 32>>>(p); /*: 50% · 32 blk/SM · blocks*/
        }
        template void h<64>(float*);
        template void h<256>(float*);
    """)


def test_sizes_that_all_fail() -> None:
    drawn("""
        __global__ void __launch_bounds__(128) k(float* p) { p[0] = 1; } /*: no launch: 256>128 threads*/
        __global__ void l(float* p) { p[0] = 1; } /*: no launch: 2048>1024 threads*/
        void h(float* p, bool c) {
            k<<<1, c ? 256 : 512>>>(p);
            l<<<1, c ? 2048 : 4096>>>(p);
        }
    """)


def test_bounds_for_more_threads_than_a_block_may_have_bound_no_size() -> None:
    """The registers that they leave are capped all the same."""
    drawn("""
        __global__ void __launch_bounds__(2048) k(float* p) { p[0] = 1; } /*: ≥50% · any block*/
        void h(float* p, int n) { k<<<1, n>>>(p); }
    """)


def test_bounds_are_those_of_the_instance_that_is_launched() -> None:
    template = "template <int N> __global__ void __launch_bounds__(N) k(float* p) { p[N] = 1; }"
    drawn(f"""
        {template} /*: ≥25% · regs ≤128*/
        void h() {{
            k<128><<<1, 256>>>(p); /*: no launch: 256>128 threads*/
            k<512><<<1, 256>>>(p);
        }}
    """)
    drawn(f"""
        {template} /*: no launch: 256>128 threads*/
        void h() {{
            k<128><<<1, 256>>>(p);
            k<64><<<1, 256>>>(p); /*: no launch: 256>64 threads*/
        }}
    """)
    drawn(f"""
        {template} /*: 256 thr · 100% if ≤32 regs*/
        void h() {{
            k<128><<<1, 256>>>(p); /*: no launch: 256>128 threads*/
            k<ELSEWHERE><<<1, 256>>>(p);
        }}
    """)
    drawn(f"""
        {template} /*: no launch: 256>128 threads*/
        auto other = &k<ELSEWHERE>;
        void h() {{ k<128><<<1, 256>>>(p); }}
    """)


def test_bounds_that_refuse_no_launch_for_sure() -> None:
    """What has another body may have other bounds."""
    drawn("""
        template <int N> __global__ void __launch_bounds__(N) k(float* p) { p[N] = 1; } /*: 256 thr · 100% if ≤32 regs*/
        template <> __global__ void __launch_bounds__(256) k<128>(float* p);
        void h() {
            k<128><<<1, 256>>>(p);
            k<64><<<1, 256>>>(p); /*: no launch: 256>64 threads*/
        }
    """)


def test_size_unknown() -> None:
    drawn(
        """
        // occupancy: regs=40
        __global__ void k(float* p) { p[0] = 1; } /*: 40 regs · 100% at 96, 128 … 768*/
    """,
        "sm_86",
    )
    drawn("""
        // occupancy: regs=64
        __global__ void k(float* p) { p[0] = 1; } /*: 64 regs · 50% at 32, 64 … 1024*/
    """)


def test_that_one_sub_group_fits_is_no_hint() -> None:
    """The compiler's cap holds for every kernel on AMD; how much LDS a call out of sight takes is open."""
    view = drawn(
        """
        __device__ void elsewhere(float* p);
        __global__ void k(float* p) { elsewhere(p); }
        __global__ void l(float* p) { p[0] = 1; } /*: ≥28.12% · any WG*/
    """,
        "mi300x",
        path=Path("k.hip"),
    )
    assert "At any work-group size" not in plain(explain(view, 0))
    assert "At any work-group size: at least 28.12%" in plain(explain(view, 1))


def test_what_holds_at_any_size() -> None:
    drawn("""
        __global__ void a(float* p) { /*: ≤5 blk/SM · smem · any block*/
            __shared__ float s[10000]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[0];
        }
        __global__ void b(float* p) { /*: ≤50% · smem · any block*/
            extern __shared__ float s[]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[0];
        }
        __global__ void __maxnreg__(40) c(float* p) { p[0] = 1; } /*: ≥39.06% · any block*/
        __global__ void d(float* p) { __shared__ float s[800]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[0]; }
        void h(int n) {
            cudaFuncSetAttribute(b, cudaFuncAttributeMaxDynamicSharedMemorySize, 160000);
            a<<<1, n>>>(p); b<<<1, n, 160000>>>(p); c<<<1, n>>>(p); d<<<1, n>>>(p);
        }
    """)


@given(
    st.integers(1, 1024), st.integers(1, 255), st.sampled_from([0, 100, 3000, 12000]),
    st.sampled_from(["", "__maxnreg__(40) ", "__launch_bounds__(N) "]), st.sampled_from(["h100", "sm_75", "sm_86"]),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_what_is_said_of_any_size_holds_at_each(
    threads: int, registers: int, words: int, bounds: str, device: str
) -> None:
    array = f"__shared__ int s[{words}]; s[p[1]] = 1; __syncthreads(); p[2] = s[0];" if words else ""
    view = view_of(f"__global__ void {bounds}k(int* p) {{ {array} }}\nvoid h(int n) {{ k<<<1, n>>>(p); }}", device)
    report, label = view.reports[0], text_of(view.reports[0]) or ""
    need = Need(threads, min(registers, report.registers.highest), report.local.static[1])
    result, said = report.arch.occupancy(need), re.match(r"([≤≥])([\d.]+)(%| blk)", label)
    if said is None:
        return
    told, amount = float(said[2]), result.percent if said[3] == "%" else result.groups
    assert told + 0.01 >= amount if said[1] == "≤" else told - 0.01 <= amount or result.fault, (label, need)


def test_intended() -> None:
    drawn("""
        // occupancy: regs=168 block=384 intended 1 block
        __global__ void k(float* p) { p[0] = 1; } /*: 1 blk (intended)*/
    """)


def test_nothing_known_and_nothing_wrong() -> None:
    drawn("""
        __global__ void k(float* p) { p[0] = 1; }
    """)


def test_functions_out_of_sight_leave_an_upper_bound() -> None:
    drawn("""
        // occupancy: regs=64
        __global__ void a(float* p) { helper(p); } /*: 50% · 4 blk/SM · regs*/
        // occupancy: regs=32
        __global__ void b(float* p) { helper(p); } /*: 50–100% · smem?*/
        // occupancy: regs=40
        __global__ void c(float* p) { helper(p); } /*: ≤75% · 6 blk/SM · regs*/
        void h() { a<<<1, 256>>>(p); b<<<1, 256>>>(p); c<<<1, 256>>>(p); }
    """)


def test_functions_out_of_sight_are_named_only_where_they_can_change_the_figure() -> None:
    """One may take 48 KiB and 16 barriers: four blocks fit whatever it takes."""
    drawn("""
        __global__ void a(float* p) { helper(p); } /*: 1024 thr · 100% if ≤32 regs*/
        __global__ void b(float* p) { helper(p); } /*: 256 thr · ≥50% if ≤64 regs*/
        __global__ void __launch_bounds__(256, 3) c(float* p) { helper(p); } /*: ≥37.5% · regs ≤80*/
        __global__ void __launch_bounds__(64) d(float* p) { helper(p); } /*: 100% if ≤32 regs, ≤6 KiB smem*/
        __global__ void __launch_bounds__(256, 6) e(float* p) { helper(p); } /*: 50–100% · smem?*/
        void h() { a<<<1, 1024>>>(p); b<<<1, 256>>>(p); c<<<1, 256>>>(p); d<<<1, 64>>>(p); e<<<1, 256>>>(p); }
    """)


def test_shared_memory_is_named_only_where_it_can_change_the_figure() -> None:
    drawn("""
        __global__ void __launch_bounds__(256, 4) a(float* p) { /*: ≥50% · regs ≤64*/
            __shared__ typename cub::BlockHistogram<char, 256, 4, 256>::TempStorage temp; p[0] = *(float*)&temp;
        }
        __global__ void b(float* p) { /*: 512 thr · 100% if ≤32 regs*/
            __shared__ typename cub::BlockHistogram<char, 512, 4, 256>::TempStorage temp; p[0] = *(float*)&temp;
        }
        __global__ void c(float* p) { /*: 256 thr · 50% if ≤64 regs · smem*/
            __shared__ float s[12000]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[0];
        }
        void h() { a<<<1, 256>>>(p); b<<<1, 512>>>(p); c<<<1, 256>>>(p); }
    """)


def test_the_size_at_launch_has_a_budget() -> None:
    drawn("""
        __global__ void k(float* p) { /*: 100% if ≤32 regs, ≤27 KiB smem*/
            extern __shared__ float s[]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[0];
        }
        void h(int n) { k<<<1, 256, n>>>(p); }
    """)


def test_a_budget_of_several_sizes_holds_at_each() -> None:
    drawn("""
        __global__ void k(float* p) { p[0] = 1; } /*: 256–1024 thr · 100% if ≤32 regs*/
        void h() { k<<<1, 256>>>(p); k<<<1, 512>>>(p); k<<<1, 1024>>>(p); }
    """)
    drawn("""
        __global__ void __launch_bounds__(1024) k(float* p) { p[0] = 1; } /*: 256, 1024 thr · ≥50% · regs ≤64*/
        void h() { k<<<1, 256>>>(p); k<<<1, 1024>>>(p); }
    """)


def test_launches_that_differ_in_memory_alone() -> None:
    drawn("""
        // occupancy: regs=32
        __global__ void k(float* p) { /*: 37.5–100% · 2 launches*/
            extern __shared__ float s[]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[0];
        }
        void h() {
            cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
            k<<<1, 256>>>(p); /*: 100% · 8 blk/SM*/
            k<<<1, 256, 65536>>>(p); /*: 37.5% · 3 blk/SM · smem*/
        }
    """)


def test_several_sizes_each_have_their_figure() -> None:
    drawn("""
        // occupancy: regs=40
        __global__ void k(float* p) { p[0] = 1; } /*: 50–75% · 2 sizes*/
        void h() {
            k<<<1, 256>>>(p); /*: 75% · 6 blk/SM · regs*/
            k<<<1, 1024>>>(p); /*: 50% · 1 blk/SM · regs*/
        }
    """)


def test_a_launch_in_a_template_has_one_hint_however_many_instances_it_launches() -> None:
    drawn("""
        template <int N>
        __global__ void __launch_bounds__(N) k(float* p) { p[0] = N; } /*: 512, 1024 thr · ≥25% · regs ≤128*/
        template <int N> void run(float* p) {
            if (p) k<N><<<1, N>>>(p);
        }
        void f(float* p) { run<512>(p); run<1024>(p); }
    """)
    drawn("""
        // occupancy: regs=40
        template <int N> __global__ void k(float* p) { p[0] = N; } /*: 50–75% · 3 sizes*/
        template <int N> void run(float* p) {
            if (p) k<N><<<1, N>>>(p); /*: 75% · 2 sizes*/
        }
        void f(float* p) { run<256>(p); run<512>(p); k<1024><<<1, 1024>>>(p); } /*: 50% · 1 blk/SM · regs*/
    """)


def test_a_launch_of_unknown_size_beside_one_that_is_known() -> None:
    drawn("""
        __global__ void __launch_bounds__(512, 2) k(float* p) { p[0] = 1; } /*: ≥50% at 512 · regs ≤64*/
        void h(int n) {
            k<<<1, 96>>>(p); /*: ≥46.88% · regs ≤64*/
            k<<<1, n>>>(p);
        }
    """)


def test_launches_on_one_line_share_a_hint() -> None:
    drawn("""
        // occupancy: regs=40
        __global__ void k(float* p) { p[0] = 1; } /*: 50–75% · 3 sizes*/
        void h(int n) { if (n) k<<<1, 256>>>(p); else k<<<1, 1024>>>(p); } /*: 75% · 6 blk/SM · regs*/
        void g() { k<<<1, 512>>>(p); k<<<2, 512>>>(p); } /*: 75% · 3 blk/SM · regs*/
    """)


def test_several_chosen_devices_stand_side_by_side() -> None:
    drawn(
        """
        // occupancy: regs=64
        __global__ void k(float* p) { p[0] = 1; } /*: H100 50% · RTX 4090 66.67%*/
        void h() { k<<<1, 256>>>(p); }
    """,
        "h100",
        "rtx-4090",
    )


def test_a_signature_over_several_lines_has_its_hint_where_it_closes() -> None:
    drawn("""
        __global__ void
        k(float* p,
          int n) /*: 256 thr · 100% if ≤32 regs*/
        { p[0] = n; }
        void h() { k<<<1, 256>>>(p); }
    """)


def test_estimates_are_marked() -> None:
    (hint,) = hints(
        view_of("// occupancy: regs=64 block=256\n__global__ void k(int* p) { p[0] = 1; }", "sm_107"), 0, _EVERYTHING
    )
    assert hint.label.startswith("~")


def log(arch: str, spills: int = 0, registers: int = 64, name: str = "_Z1kPf") -> str:
    return (
        f"ptxas info    : Compiling entry function '{name}' for '{arch}'\n"
        f"ptxas info    : Function properties for {name}\n"
        f"    0 bytes stack frame, {spills} bytes spill stores, {spills} bytes spill loads\n"
        f"ptxas info    : Used {registers} registers, used 0 barriers\n"
    )


def labels(source: str, path: Path, device: str = "h100") -> list[str]:
    return [hint.label for hint in hints(view_of(source, device, path=path), 0, _EVERYTHING)]


_COMPILED = "__global__ void k(float* p) { p[0] = 1; }\nvoid h() { k<<<1, 256>>>(p); }\n"


def test_stale_counts_are_marked(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(_COMPILED)
    (tmp_path / "k.ptxas.log").write_text(log("sm_90"))
    assert labels(_COMPILED, path) == ["50% · 4 blk/SM · regs"]
    assert labels(_COMPILED.replace("p[0] = 1", "p[0] = 2"), path) == ["50%? · stale"]
    assert labels("// a comment\n" + _COMPILED, path) == ["50% · 4 blk/SM · regs"]


@pytest.mark.parametrize(
    ("spills", "registers", "label"),
    [
        (2540, 32, "100% · 8 blk/SM · spills 2.5 KiB"),
        (96, 64, "50% · regs · spills 96 B"),
        (1024, 255, "12.5% · regs · spills 1 KiB"),
    ],
)
def test_spills_are_told(tmp_path: Path, spills: int, registers: int, label: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(_COMPILED)
    (tmp_path / "k.ptxas.log").write_text(log("sm_90", spills, registers))
    assert labels(_COMPILED, path) == [label]
    assert labels(_COMPILED.replace("p[0] = 1", "p[0] = 2"), path) == [f"{label.partition('%')[0]}%? · stale"]


def test_spills_of_instances_that_differ(tmp_path: Path) -> None:
    kernel = "template <int N> __global__ void k(float* p) { p[0] = N; }\n"
    source = f"{kernel}void h() {{ k<1><<<1, 256>>>(p); k<2><<<1, 256>>>(p); }}\n"
    path = tmp_path / "k.cu"
    path.write_text(source)
    both = log("sm_90", 0, 64, "_Z1kILi1EEvPf"), log("sm_90", 64, 64, "_Z1kILi2EEvPf")
    (tmp_path / "k.ptxas.log").write_text("".join(both))
    assert labels(source, path) == ["50% · regs · spills ≤64 B"]


def test_a_count_older_than_the_file_is_of_unsure_age(tmp_path: Path) -> None:
    path, sidecar = tmp_path / "k.cu", tmp_path / "k.ptxas.log"
    path.write_text(_COMPILED)
    sidecar.write_text(log("sm_90"))
    os.utime(sidecar, (1, 1))
    assert labels(_COMPILED, path) == ["50%? · stale"]


def test_counts_of_another_architecture_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(_COMPILED)
    (tmp_path / "k.ptxas.log").write_text(log("sm_80"))
    assert labels(_COMPILED, path) == ["256 thr · 100% if ≤32 regs"]
    assert labels(_COMPILED, path, "a100") == ["50% · 4 blk/SM · regs"]


@pytest.mark.parametrize("key", ["", "kernel", "kernel:9", "kernel:-x", "launch:0:5", "launch:0", "x:0"])
def test_tooltips_of_what_is_gone(key: str) -> None:
    assert tooltip(view_of("__global__ void k() {}"), key) is None


@given(
    st.integers(1, 4096),
    st.one_of(st.none(), st.integers(1, 300)),
    st.integers(0, 300_000),
    st.sampled_from(["h100", "sm_75", "sm_86", "sm_12"]),
    st.booleans(), st.booleans(),
)  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_every_hint_is_short_and_has_a_tooltip(
    threads: int, registers: int | None, dynamic: int, device: str, calls: bool, bounds: bool
) -> None:
    regs = f"// occupancy: regs={registers}\n" if registers else ""
    annotation = f"__launch_bounds__({threads}, 2) " if bounds else ""
    body = "helper();" if calls else ""
    source = (
        f"{regs}__global__ void {annotation}k(int* p) {{ {body} }}\nvoid h() {{ k<<<1, {threads}, {dynamic}>>>(p); }}"
    )
    view = view_of(source, device)
    for hint in hints(view, 0, _EVERYTHING):
        assert 0 < len(hint.label) <= LONGEST
        assert hint.key is not None and tooltip(view, hint.key)


@given(
    st.integers(1, 1024),
    st.sampled_from(["", "__launch_bounds__(T) ", "__launch_bounds__(T, 2) ", "__launch_bounds__(1024) "]),
    st.sampled_from(["", "helper();", "extern __shared__ int d[]; d[p[1]] = 1; p[0] = d[0];", "int x = 1;"]),
    st.integers(0, 12_000),
    st.sampled_from(["h100", "sm_75", "sm_86"]),
    st.integers(1, 255), st.integers(0, 200_000),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_what_a_hint_says_holds_whatever_is_open(
    threads: int, bounds: str, body: str, words: int, device: str, registers: int, more: int
) -> None:
    array = f"__shared__ int s[{words}]; s[p[1]] = 1; __syncthreads(); p[2] = s[0];" if words else ""
    source = f"__global__ void {bounds.replace('T', str(threads))}k(int* p, int n) {{ {array} {body} }}\n"
    view = view_of(
        source + f"void h(int n) {{ k<<<1, {threads}, {'n' if 'extern' in body else '0'}>>>(p, n); }}", device
    )
    report, label = view.reports[0], text_of(view.reports[0]) or ""
    arch, memory = report.arch, report.local
    most = arch.local_per_group - memory.static[1] if memory.unseen else 0
    dynamic = min(more, arch.local_per_group_opt_in - memory.static[0]) if "extern" in body else 0
    need = Need(threads, min(registers, report.registers.highest), memory.static[0] + min(more, most), dynamic)
    said = _CLAIM.search(label)
    result = arch.occupancy(need)
    if said is None or result.fault:  # a launch that fails has no figure
        return
    in_budget = int(said["regs"] or 255) >= (need.registers or 0)
    in_budget &= int(said["kib"] or 1 << 20) * 1024 >= need.static_local + need.dynamic_local
    if in_budget:
        assert result.percent >= float(said["share"]) - 0.01, (label, need)


_CLAIM = re.compile(r"(?P<share>[\d.]+)(?:–[\d.]+)?%(?: if ≤(?P<regs>\d+) regs)?(?:(?: if|,) ≤(?P<kib>\d+) KiB)?")
