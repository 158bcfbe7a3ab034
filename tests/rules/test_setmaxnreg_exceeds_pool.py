"""Registers that warpgroups hand to each other: OCC104. What ptxas 13.0 gives each kernel at entry is noted at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics, rule_findings
from occupancy_lsp.rules import setmaxnreg_exceeds_pool
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import check, seconds, text_of, view_of

DEVICES = pytest.mark.parametrize("device", ["h100", "sm_100", "sm_120"])
KERNEL = """
{}__global__ void __launch_bounds__({}) k(float* p) {{
  // asm volatile("setmaxnreg.inc.sync.aligned.u32 250;");
  int group = threadIdx.x / 128;
  #pragma unroll
  for (int i = 0; i < 4; i++) p[i] = 0;
  if (group == 0) {{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    p[0] = 1;
  }} else {{
    {}
    p[1] = 2;
  }}
}}
"""
INC = 'asm volatile("setmaxnreg.inc.sync.aligned.u32 {};");'


def found(bounds: str, inc: str, device: str = "h100", said: str = "", more: str = "") -> list[str]:
    view = view_of(KERNEL.format(said, bounds, inc) + more, device)
    return [it.message for it in diagnostics(view) if it.code == "OCC104"]


@DEVICES
def test_more_than_the_block_has(device: str) -> None:
    """128 registers at entry, as ptxas says: 232 are just what is left of the pool."""
    check(
        """
        __global__ void __launch_bounds__(256, 2) k(float* p) {
          if (threadIdx.x < 128) {
            asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
          } else {
            asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning OCC104: setmaxnreg needs 240 × 128 + 24 × 128 = 33792 registers; the block has 128 × 256 = 32768
            p[0] = 1;
          }
        }
        __global__ void __launch_bounds__(256, 2) j(float* p) {
          if (threadIdx.x < 128) {
            asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
          } else {
            asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
            p[0] = 1;
          }
        }
        """,  # noqa: E501
        device,
        only="OCC104",
    )


@pytest.mark.parametrize(
    "inc",
    [
        INC.format(240),
        'asm volatile ( "setmaxnreg.inc.sync.aligned.u32 240;\\n" );',
        'asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\\n" :: "n"(240));',
        'asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\\n" : : "n"(240));',
        "cutlass::arch::warpgroup_reg_alloc<240>();",
        "cuda::ptx::setmaxnreg_inc(cuda::ptx::n32_t<240>{});",
    ],
)
def test_ways_to_write_it(inc: str) -> None:
    message = "setmaxnreg needs 240 × 128 + 24 × 128 = 33792 registers; the block has 128 × 256 = 32768"
    assert found("256, 2", inc) == [message] and len(message) <= 100
    assert found("256, 2", inc.replace("240", "232")) == found("256, 1", inc) == []


def test_a_smaller_launch_has_a_smaller_pool() -> None:
    """80 registers at entry of 384 threads."""
    message = "setmaxnreg needs 216 × 128 + 24 × 256 = 33792 registers; the block has 80 × 384 = 30720"
    assert found("384, 2", INC.format(216)) == [message]
    assert found("384, 2", INC.format(104)) == []
    message = "setmaxnreg needs 192 × 128 + 24 × 128 = 27648 registers; the block has 80 × 256 = 20480"
    assert found("384, 2", INC.format(192), more="void run(float* p) { k<<<1, 256>>>(p); }\n") == [message]


@pytest.mark.parametrize("registers", [250, 264, 16])
def test_what_ptxas_refuses(registers: int) -> None:
    message = f"setmaxnreg takes a multiple of 8 from 24 to 256, not {registers}: ptxas rejects it"
    assert found("256, 1", INC.format(registers)) == [message]
    assert found("256, 1", f"cutlass::arch::warpgroup_reg_dealloc<{registers}>();") == [message]


@pytest.mark.parametrize(
    ("bounds", "inc", "device", "said"),
    [
        ("256, 1", INC.format(240), "h100", ""),
        ("384, 1", INC.format(240), "h100", ""),  # 168 at entry: two of 240 and one of 24 are the whole
        ("1024, 3", INC.format(240), "h100", ""),  # ignored, as the 3 is
        ("256, N", INC.format(240), "h100", ""),
        ("256, 2", INC.format(240), "sm_80", ""),  # there is no such instruction
        ("256, 2", INC.format(240), "h100", "// occupancy: ignore[OCC104] never run\n"),
        ("256, 2", INC.format(240), "h100", "template <bool B> "),
        ("256, 2", "if (false) { " + INC.format(240) + " }", "h100", ""),
        ("256, 2", "if (WIDE) { " + INC.format(240) + " }", "h100", ""),
        ("256, 2", "if constexpr (sizeof(int) == 8) { " + INC.format(240) + " }", "h100", ""),
        ("256, 2", "\n#if WIDE\n" + INC.format(240) + "\n#endif\n", "h100", ""),
        ("256, 2", "/* " + INC.format(240) + " */", "h100", ""),
        ("256, 2", "mine::warpgroup_reg_alloc<240>();", "h100", ""),
        ("256, 2", "cutlass::arch::warpgroup_reg_alloc<MOST>();", "h100", ""),
    ],
)
def test_what_is_not_known_to_be_too_much(bounds: str, inc: str, device: str, said: str) -> None:
    assert found(bounds, inc, device, said) == []


@pytest.mark.parametrize("bit", ["a::", "a", '"', "setmaxnreg ", "arch::", "#pragma "])
def test_a_long_body_is_read_in_linear_time(bit: str) -> None:
    def taken(times: int) -> float:
        view = view_of(KERNEL.format("", "256, 2", bit * times))
        (report,) = view.reports
        return seconds(lambda: list(setmaxnreg_exceeds_pool.RULE.check_view(view, report)))

    assert taken(40_000) < 40 * taken(4_000)


def test_a_pool_that_is_large_enough() -> None:
    view = view_of(KERNEL.format("", "256, 2", INC.format(240)))
    titles = [fix.title for rule, _, it in rule_findings(view) if rule.code == "OCC104" for fix in it.fixes]
    assert titles == ["Set minBlocks to 1: up to 255 × 256 for the block; at most 255 registers (now 128)"]


ROLES = """
__global__ void __launch_bounds__({}) k(float* p) {{
  {}
  if ({}) {{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 {};");
    p[0] = 1;
  }} else {{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 {};");
    p[1] = 2;
  }}
}}
"""
GROUP = "const int group = threadIdx.x / 128;"


def together(
    bounds: str, less: int, more: int, condition: str = "group == 0", first: str = GROUP, launch: str = ""
) -> list[str]:
    view = view_of(ROLES.format(bounds, first, condition, less, more) + launch, "h100")
    return [it.message for it in diagnostics(view) if it.code == "OCC104"]


@pytest.mark.parametrize(
    ("bounds", "less", "more", "wants", "pool"),
    [
        # One producer and one consumer of (256, 2): 128 registers at entry, by ptxas.
        ("256, 2", 40, 232, "232 × 128 + 40 × 128 = 34816", "128 × 256 = 32768"),
        ("256, 2", 32, 232, "232 × 128 + 32 × 128 = 33792", "128 × 256 = 32768"),
        # Two consumers of (384, 2): 80 at entry.
        ("384, 2", 24, 152, "152 × 256 + 24 × 128 = 41984", "80 × 384 = 30720"),
        # Four consumers: no number of them fits.
        ("640, 1", 96, 240, "240 × 512 + 96 × 128 = 135168", "96 × 640 = 61440"),
    ],
)
def test_what_all_warpgroups_want_together(bounds: str, less: int, more: int, wants: str, pool: str) -> None:
    message = f"setmaxnreg needs {wants} registers; the block has {pool}"
    assert together(bounds, less, more) == [message] and len(message) <= 100


@pytest.mark.parametrize(
    ("bounds", "less", "more"),
    [
        ("384, 1", 24, 240),  # CUTLASS's for two consumers: 24 + 2 × 240 are 3 × 168
        ("384, 1", 40, 232),  # CUTLASS's, too
        ("256, 2", 24, 232),
        ("256, 1", 24, 240),
        ("512, 1", 32, 160),  # three consumers: 32 + 3 × 160 are 4 × 128
        ("384, 1", 24, 248),  # launched with 256 threads it would do
    ],
)
def test_what_just_fits(bounds: str, less: int, more: int) -> None:
    assert together(bounds, less, more) == []


def test_a_known_launch_decides() -> None:
    launch = "void run(float* p) {{ k<<<132, {}>>>(p); }}\n"
    message = "setmaxnreg needs 248 × 256 + 24 × 128 = 66560 registers; the block has 168 × 384 = 64512"
    assert together("384, 1", 24, 248, launch=launch.format(384)) == [message]
    assert together("384, 1", 24, 248, launch=launch.format(256)) == []
    assert together("384, 1", 24, 240, launch=launch.format(384)) == []


@pytest.mark.parametrize(
    ("condition", "first"),
    [
        ("threadIdx.x < 128", ""),
        ("threadIdx.x >> 7 == 0", ""),
        ("!group", GROUP),
        ("group < 1", GROUP),
        ("(threadIdx.x & 128) == 0", ""),
        ("warp < 4", "unsigned warp = threadIdx.x / 32;"),
        ("group == 0", "int group = __shfl_sync(0xffffffff, threadIdx.x / 128, 0);"),
        ("group == 0", "auto group = cutlass::canonical_warp_group_idx();"),
        ("role == 1", "const int role = threadIdx.x < 128 ? 1 : 2;"),
    ],
)
def test_ways_to_divide_the_block(condition: str, first: str) -> None:
    assert len(together("256, 2", 40, 232, condition, first)) == 1
    assert together("256, 2", 24, 232, condition, first) == []


@pytest.mark.parametrize(
    ("condition", "first"),
    [
        ("group == PRODUCER", GROUP),
        ("group == n", "int n = p[0]; int group = threadIdx.x / 128;"),
        ("threadIdx.x < 64", ""),  # divides a warpgroup
        ("threadIdx.x % 2 == 0", ""),
        ("threadIdx.y == 0", ""),
        ("group == 0", "int group = threadIdx.x / 128; group = 1 - group;"),
        ("group == 0", "int group; group = threadIdx.x / 128; for (int i = 0; i < 2; i++) group += i;"),
        ("group == 0", "int group = threadIdx.x / 128; if (p[0] > 0) return;"),
        ("group == 0", "int group = threadIdx.x / 128; do { p[2] = 1; } while (p[0] > 0);"),
    ],
)
def test_roles_that_are_not_known(condition: str, first: str) -> None:
    """With 24 left to the others it would fit, and that may be so."""
    assert together("256, 2", 40, 232, condition, first) == []


def test_a_role_by_a_float() -> None:
    roles = ROLES.format("256, 2", GROUP, "(float)threadIdx.x < 128", 40, 224)
    sure = roles.replace(GROUP, 'asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");')
    assert [it.message for it in diagnostics(view_of(sure, "h100")) if it.code == "OCC104"] == []


def test_a_role_that_ends_early() -> None:
    source = """
__global__ void __launch_bounds__(256, 2) k(float* p) {
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 LESS;");
    p[0] = 1;
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  p[1] = 2;
}
"""
    for less, times in (("40", 1), ("24", 0)):
        view = view_of(source.replace("LESS", less), "h100")
        assert len([it for it in diagnostics(view) if it.code == "OCC104"]) == times


def test_three_roles() -> None:
    source = """
__global__ void __launch_bounds__(512, 1) k(float* p) {
  int group = threadIdx.x / 128;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
  } else if (group == 3) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 96;");
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 MORE;");
  }
  p[group] = 2;
}
void run(float* p) { k<<<132, 512>>>(p); }
"""
    view = view_of(source.replace("MORE", "200"), "h100")
    message = "setmaxnreg needs 200 × 256 + 96 × 128 + 24 × 128 = 66560 registers; the block has 128 × 512 = 65536"
    assert [it.message for it in diagnostics(view) if it.code == "OCC104"] == [message] and len(message) <= 100
    assert [it for it in diagnostics(view_of(source.replace("MORE", "192"), "h100")) if it.code == "OCC104"] == []


def test_what_ptxas_ignores() -> None:
    """C7508, see tests/compile."""
    message = "setmaxnreg {} is ignored: without minBlocks ptxas does not know the registers at entry (C7508)"
    assert found("256", INC.format(240)) == [message.format(24)] and len(message) <= 100
    (finding,) = [it for rule, _, it in rule_findings(view_of(KERNEL.format("", "384", INC.format(240)))) if it.fixes]
    assert finding.unnecessary and [it.title for it in finding.fixes] == [
        "Add minBlocks 1: at most 168 registers at entry"
    ]
    ((place, new),) = finding.fixes[0].edits
    assert new == ", 1" and place.start == place.end
    for bounds, said in (("256, 1", ""), ("256", "template <int N> ")):
        assert found(bounds, INC.format(240), said=said) == []
    assert found("N", INC.format(240)) == [message.format(24)]  # of any number of threads
    assert found("256", INC.format(240), "sm_80") == []


def test_what_ptxas_ignores_without_bounds(tmp_path: Path) -> None:
    """ptxas 13.0: C7508 without any bounds, unless --maxrregcount is given; with `__block_size__` in either case."""
    message = "setmaxnreg 24 is ignored without bounds or --maxrregcount: ptxas knows no count at entry (C7508)"
    text = KERNEL.format("", "256", INC.format(240)).replace("__launch_bounds__(256) ", "BOUNDS ")
    assert [it.message for it in diagnostics(view_of(text.replace("BOUNDS", ""), "h100"))] == [message]
    fixed = [it.message for it in diagnostics(view_of(text.replace("BOUNDS", "__block_size__((256, 1, 1))"), "h100"))]
    assert fixed == ["setmaxnreg 24 is ignored: without minBlocks ptxas does not know the registers at entry (C7508)"]
    (tmp_path / "k.cu").write_text(text.replace("BOUNDS", ""))
    (tmp_path / "Makefile").write_text("k.o: k.cu\n\tnvcc -maxrregcount=128 -c k.cu\n")
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(tmp_path / "k.cu", "", Text((tmp_path / "k.cu").read_bytes()), project).view()
    assert view is not None and [it for it in diagnostics(view) if it.code == "OCC104"] == []


def test_what_ptxas_ignores_in_templates() -> None:
    message = "setmaxnreg 24 is ignored: without minBlocks ptxas does not know the registers at entry (C7508)"
    launch = "\nvoid run(float* p) { k<384><<<1, 384>>>(p); }"
    assert found("T", INC.format(240), said="template <int T> ", more=launch) == [message]


def _entry(text: str) -> tuple[int | None, int]:
    """The fewest and the most registers at entry that the last kernel is taken to have."""
    found = view_of(text, "h100").reports[-1].registers
    return found.lowest, found.highest


_HANDS = """{}__global__ void {} k(float *o) {{
  if (threadIdx.x < 128) {{ asm volatile("setmaxnreg.dec.sync.aligned.u32 24;"); o[0] = 1; }}
  else {{ {} o[1] = 2; }}
}}
"""


@pytest.mark.parametrize(
    ("bounds", "asks", "registers"),
    [
        ("__launch_bounds__(256, 1)", INC.format(240), (240, 240)),
        ("__launch_bounds__(256, 2)", INC.format(240), (128, 128)),
        ("__launch_bounds__(256, 3)", INC.format(240), (80, 80)),
        ("__launch_bounds__(384, 1)", INC.format(240), (168, 168)),
        ("__launch_bounds__(640, 2)", INC.format(240), (48, 48)),
        ("__launch_bounds__(64, 8)", INC.format(240), (128, 128)),
        ("__launch_bounds__(256, 1)", INC.format(160), (160, 160)),
        ("__launch_bounds__(256, 1)", INC.format(160) + INC.format(200), (200, 200)),
        ("__launch_bounds__(256, 1)", INC.format(256), (255, 255)),
        ("__launch_bounds__(256, 1)", "", (255, 255)),
        ("__maxnreg__(100)", INC.format(240), (100, 100)),
        ("__maxnreg__(10)", INC.format(240), (24, 24)),
        # Ignored, as the bounds tell no count at entry: 8 registers here.
        ("__launch_bounds__(384)", INC.format(240), (None, 168)),
        ("__launch_bounds__(1024, 3)", INC.format(240), (None, 64)),
        ("", INC.format(240), (None, 255)),
        # It may be none, or ask for more in what is not read.
        ("__launch_bounds__(256, 1)", f"if (sizeof(int) == 8) {{ {INC.format(240)} }}", (240, 255)),
        ("__launch_bounds__(256, 1)", f"far_away(); {INC.format(160)}", (160, 255)),
        ("__launch_bounds__(256, 1)", "far_away();", (None, 255)),
    ],
)
def test_ptxas_gives_all_that_bounds_leave(bounds: str, asks: str, registers: tuple[int | None, int]) -> None:
    """What ptxas 13.0 and 13.5 say they used for sm_90a, sm_100a and sm_120a: no condition on a count ever holds."""
    assert _entry(_HANDS.format("", bounds, asks)) == registers


def test_in_text_that_tilelang_generates() -> None:
    view = view_of(
        """
        extern "C" __global__ void __launch_bounds__(256, 1) main_kernel(float *o) {
          if (128 <= ((int)threadIdx.x)) {
            tl::warpgroup_reg_dealloc<24>();
            o[0] = 1;
          } else {
            tl::warpgroup_reg_alloc<240>();
            o[1] = 2;
          }
        }
        """
    )
    found = view.reports[0].registers
    assert (found.lowest, found.highest, text_of(view.reports[0])) == (240, 255, "12.5% at 256 · 1 blk/SM · regs")


def test_in_each_instance() -> None:
    """13.0: 240 registers of <256>, 128 of <512>; OCC104 where the bounds are those of all instances."""
    launch = "void run(float *p) { k<512><<<1, 512>>>(p); }\n"
    text = _HANDS.format("template <int T> ", "__launch_bounds__(T, 1)", INC.format(240)) + launch
    assert _entry(text) == (128, 128)
    ignored = _HANDS.format("template <int T> ", "__launch_bounds__(T)", INC.format(240)) + launch
    assert [it.code for it in diagnostics(view_of(ignored, "h100")) if it.code == "OCC104"] == ["OCC104"]


_HELPERS = """
template <unsigned R> __device__ void give() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" : : "n"(R)); }
template <unsigned R> __device__ void take() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\\n" : : "n"(R)); }
__device__ void most() { asm volatile("setmaxnreg.inc.sync.aligned.u32 232;"); }
"""


@pytest.mark.parametrize(
    ("bounds", "takes", "registers"),
    [
        ("(256, 1)", "take<232>();", (232, 232)),
        ("(384, 1)", "take<232>();", (168, 168)),
        ("(256, 2)", "take<232>();", (128, 128)),
        ("(256, 1)", "most();", (232, 232)),
        ("(384)", "take<232>();", (None, 168)),  # ignored: 10 registers
        # 160 registers; what else asks for them is not followed.
        ("(256, 1)", "consumer();", (None, 255)),
        ("(256, 1)", "MORE(160);", (None, 255)),
    ],
)
def test_functions_that_do_nothing_else(bounds: str, takes: str, registers: tuple[int | None, int]) -> None:
    """ptxas 13.0: so many, whether the functions are called or put in place."""
    more = {"consumer();": "__device__ void consumer() { take<160>(); }\n", "MORE(160);": "#define MORE(n) take<n>()\n"}
    kernel = _HANDS.format(_HELPERS + more.get(takes, ""), "", "")
    kernel = kernel.replace('asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");', "give<40>();")
    kernel = kernel.replace("__global__ void ", f"__global__ void __launch_bounds__{bounds}")
    assert _entry(kernel.replace("else { ", f"else {{ {takes} ")) == registers


def test_what_ptxas_ignores_in_helpers() -> None:
    text = f"""{_HELPERS}__global__ void __launch_bounds__(384) k(float *o) {{
  if (threadIdx.x < 128) {{ give<40>(); o[0] = 1; }} else {{ take<232>(); o[1] = 2; }}
}}
"""
    message = "setmaxnreg 40 is ignored: without minBlocks ptxas does not know the registers at entry (C7508)"
    assert [it.message for it in diagnostics(view_of(text, "h100")) if it.code == "OCC104"] == [message]


GIVE = 'asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\\n" :: "n"(R));'
HELPERS = f"""#define TAKE(n) {GIVE.replace("(R)", "(n)").replace("dec", "inc")}
#define BOTH(n) do {{ TAKE(n); }} while (0)
#define PERHAPS(n) if (n > 24) TAKE(n)
#define MOST 232
constexpr int kMost = 232;
template <int R> __device__ void give() {{ {GIVE} }}
template <int R> __device__ void outer() {{ give<R>(); }}
template <int R> __device__ void perhaps() {{ if constexpr (R > 0) {GIVE} }}
struct Warp {{ template <int R> __device__ static void give_back() {{ {GIVE} }} }};
__device__ void body(float* p) {{ if (threadIdx.x < 128) {{ give<40>(); p[0] = 1; }} else {{ p[1] = 2; }} }}
template <int R> struct Pool {{ static constexpr int kGive = R; }};
"""


# ptxas 13.0 for sm_90a ignores the instruction in each of these with (384), as C7508 says, and in none with (384, 1).
@pytest.mark.parametrize(
    "call",
    [
        "TAKE(232);", "BOTH(232);", "give<40>();", "give<kMost>();", "give<MOST>();", "outer<40>();", "body(p);",
        "Warp::give_back<40>();", "give<Pool<40>::kGive>();",
    ],
)  # fmt: skip
def test_own_helpers_whose_change_is_ignored(call: str) -> None:
    def said(bounds: str) -> list[str]:
        kernel = f"__global__ void __launch_bounds__({bounds}) k(float* p) {{ {call} p[2] = 1; }}\n"
        view = view_of(HELPERS + kernel, "h100")
        return [it.message.partition(" is ")[2] for it in diagnostics(view) if it.code == "OCC104"]

    ignored = "ignored: without minBlocks ptxas does not know the registers at entry (C7508)"
    assert said("384") == said("384, 0") == [ignored]
    assert said("384, 1") == []


@pytest.mark.parametrize(
    "call", ["PERHAPS(40)", "perhaps<40>();", "other();", "// give<40>();\n", "if (MOST) give<40>();"]
)
def test_what_may_be_left_out_is_not_told(call: str) -> None:
    view = view_of(f"{HELPERS}__global__ void __launch_bounds__(384) k(float* p) {{ {call} p[2] = 1; }}\n", "h100")
    assert [it for it in diagnostics(view) if it.code == "OCC104"] == []


def test_the_first_instance_without_blocks_is_named() -> None:
    """ptxas 13.0 gives the first 168 registers, and ignores the instruction in the second."""
    kernel = "template <int T, int N> __global__ void __launch_bounds__(T, N) k(float* p) { give<40>(); p[0] = 1; }\n"
    launches = "void run(float* p) { k<384, 1><<<1, 384>>>(p); k<384, 0><<<1, 384>>>(p); }\n"
    view = view_of(HELPERS + kernel + launches, "h100")
    found = [it.message for it in diagnostics(view) if it.code == "OCC104"]
    assert found == ["setmaxnreg 40 is ignored in <384, 0>, without minBlocks (C7508)"]
    assert [it for it in diagnostics(view_of(HELPERS + kernel + launches, "sm_80")) if it.code == "OCC104"] == []
