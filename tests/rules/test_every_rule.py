"""Every rule on every vendor that it is for: red on the fault, silent on its nearest neighbour, short, with numbers."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics, rule_findings
from occupancy_lsp.rules.finding import LONGEST
from occupancy_lsp.rules.registry import RULES
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.cutile_samples import files as cubins
from tests.features.test_diagnostics import DEVICES, kernels
from tests.support import view_of

# Which vendors' devices each rule about bounds, launches and contracts speaks of.
VENDORS = {
    "OCC101": "nvidia",
    "OCC102": "nvidia",
    "OCC103": "amd",
    "OCC104": "nvidia",
    "OCC105": "nvidia amd intel arm qualcomm",
    "OCC106": "nvidia amd",
    "OCC107": "nvidia",
    "OCC108": "nvidia",
    "OCC109": "nvidia",
    "OCC201": "nvidia amd intel qualcomm apple",
    "OCC202": "nvidia amd intel arm",
    "OCC203": "nvidia amd intel arm qualcomm",
    "OCC204": "nvidia",
    "OCC301": "nvidia amd qualcomm",
    "OCC302": "amd",
    "OCC303": "nvidia amd intel arm qualcomm apple",
    "OCC304": "nvidia",
    "OCC305": "nvidia amd",
    "OCC306": "arm qualcomm",
    "OCC307": "nvidia intel",
    "OCC308": "nvidia amd intel",
}
HIP_RUNTIME = "#include <hip/hip_runtime.h>\n"


@dataclass(frozen=True)
class Example:
    """`faulty` stands in the source, or in its files, where the neighbour has `correct`."""

    code: str
    device: str
    name: str
    source: str
    faulty: str
    correct: str
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    edited: bool = False  # the source is saved after its files, and only the faulty one

    def view(self, folder: Path, faulty: bool) -> View:
        def filled(content: str | bytes) -> bytes:
            if isinstance(content, bytes):
                return content
            return content.replace("HERE", self.faulty if faulty else self.correct).encode()

        path = folder / self.name
        for name, text in {self.name: self.source, **self.files}.items():
            (folder / name).write_bytes(filled(text))
            os.utime(folder / name, (1e9, 1e9))
        when = 2e9 if self.edited and faulty else 5e8
        os.utime(path, (when, when))
        project = Project(folder, None, {"devices": self.device.split()})
        project.scan(lambda: False, lambda done, total: None)
        project.read_sources(lambda: False, lambda done, total: None)
        view = OpenFile(path, "", Text(path.read_bytes()), project).view()
        assert view is not None and view.device is not None and view.device.id == self.device.split()[0]
        return view


def cuda(code: str, device: str, source: str, faulty: str, correct: str, **files: str) -> Example:
    return Example(code, device, "k.cu", source, faulty, correct, _named(files))


def hip(code: str, device: str, source: str, faulty: str, correct: str, **files: str) -> Example:
    return Example(code, device, "k.hip", HIP_RUNTIME + source, faulty, correct, _named(files))


def opencl(code: str, device: str, source: str, faulty: str, correct: str, **files: str) -> Example:
    return Example(code, device, "k.cl", source, faulty, correct, _named(files))


def _named(files: Mapping[str, str]) -> dict[str, str]:
    names = {"settings": ".occupancy.yaml", "log": "k.ptxas.log", "remarks": "k.gfx90a.remarks"}
    return {names.get(name, f"k.{name}.occupancy.yaml"): text for name, text in files.items()}


BOUNDED = "__global__ void __launch_bounds__(HERE) k(float* p) { p[0] = 1; }\n"
TILE = """__global__ void __launch_bounds__(256, HERE) k(float* p) {
  __shared__ float tile[12288];
  tile[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = tile[threadIdx.x ^ 1];
}
"""
PIPELINED = """import triton
import triton.language as tl

@triton.jit
def k(a, b, c, K, stride, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    rows, columns, depth = tl.arange(0, M), tl.arange(0, N), tl.arange(0, D)
    total = tl.zeros((M, N), tl.float32)
    for at in range(0, K, D):
        left = tl.load(a + rows[:, None] * stride + (at + depth)[None, :])
        total = tl.dot(left, tl.load(b + (at + depth)[:, None] * stride + columns[None, :]), total)
    tl.store(c + rows[:, None] * stride + columns[None, :], total)

def run(a, b, c, K):
    k[(1,)](a, b, c, K, K, 128, 128, 64, num_warps=8, num_stages=HERE)
"""
TILES = """import cuda.tile as ct

@ct.kernel(occupancy=HERE)
def four(a, b, c):
    ct.store(c, index=(ct.bid(0), 0), tile=ct.load(a, index=(ct.bid(0), 0), shape=(1, 64)))
"""
HANDS = """__global__ void __launch_bounds__(256, 2) k(float* p) {
  if (threadIdx.x < 128) { asm volatile("setmaxnreg.dec.sync.aligned.u32 24;"); p[0] = 1; }
  else { asm volatile("setmaxnreg.inc.sync.aligned.u32 HERE;"); p[1] = 2; }
}
"""
LAUNCHED = """// occupancy: regs=REGS
__global__ void k(float* p) { extern __shared__ float s[]; p[threadIdx.x] = s[threadIdx.x]; }
void run(float* p) { PREPARE k<<<4096, 256, HERE>>>(p); }
"""
ALLOWED = LAUNCHED.replace("PREPARE", "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, HERE);")
SIZED = """// occupancy: regs=64
__global__ void k(float* p) { p[threadIdx.x] *= 2; }
void run(float* p) { k<<<HERE>>>(p); }
"""
COUNTED = SIZED.replace("64", "HERE").replace("<<<HERE>>>", "<<<4096, 256>>>")
GROUP = """// occupancy: regs=16
__kernel __attribute__((reqd_work_group_size(HERE, 1, 1))) __attribute__((intel_reqd_sub_group_size(16)))
void k(__global float* p) { p[get_global_id(0)] *= 2; }
"""
LOCAL = """// occupancy: regs=8
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16)))
void k(__global float* p) {
  __local float t[HERE];
  t[get_local_id(0)] = p[0]; barrier(CLK_LOCAL_MEM_FENCE); p[1] = t[1];
}
"""
HISTOGRAM = """__kernel void k(__global const uchar* in, __global uint* out, int n) {
  uint hist[HERE];
  for (int i = 0; i < n; ++i) hist[in[i]] = i;
  for (int i = 0; i < 8; ++i) out[i] = hist[i];
}
"""
PTXAS = """ptxas info    : Compiling entry function '_Z1kPf' for 'sm_75'
ptxas info    : Function properties for _Z1kPf
    8 bytes stack frame, HERE bytes spill stores, HERE bytes spill loads
ptxas info    : Used 64 registers, used 0 barriers, 360 bytes cmem[0]
"""
REMARKS = "".join(
    f"k.hip:2:1: remark: {line} [-Rpass-analysis=kernel-resource-usage]\n"
    for line in (
        "Function Name: _Z1kPf",
        "    TotalSGPRs: 28",
        "    VGPRs: HERE",
        "    AGPRs: 0",
        "    ScratchSize [bytes/lane]: 8",
        "    Dynamic Stack: False",
        "    Occupancy [waves/SIMD]: 4",
        "    SGPRs Spill: 0",
        "    VGPRs Spill: 2",
        "    LDS Size [bytes/block]: 0",
    )
)
PLAIN = "__global__ void k(float* p) { p[0] = 1; }\n"
RUN = "void run(float* p) { k<<<4096, 256>>>(p); }\n"
CONTRACT = GROUP.replace("\n", "\n// occupancy: expect blocks_per_sm >= HERE\n", 1).replace("(HERE,", "(64,")
THRESHOLD = "threshold: HERE\n"

EXAMPLES = [
    cuda("OCC101", "h100", TILE, "6", "4"),
    cuda("OCC102", "sm_86", BOUNDED, "1024, 2", "768, 2"),
    hip("OCC103", "mi250x", BOUNDED, "1024, 2", "1024, 8"),
    cuda("OCC104", "h100", HANDS, "240", "232"),
    opencl("OCC105", "h100", CONTRACT, "33", "32"),
    opencl("OCC105", "mi300x", CONTRACT, "33", "32"),
    opencl("OCC105", "arc-b580", CONTRACT, "17", "16"),
    opencl("OCC105", "mali-g78-mp14", CONTRACT, "17", "16"),
    opencl("OCC105", "adreno-730", CONTRACT, "7", "6"),
    cuda("OCC106", "sm_75", BOUNDED.replace("HERE", "256, 4"), "20", "0", log=PTXAS),
    hip("OCC106", "mi250x", BOUNDED.replace("HERE", "256, 4"), "128", "120", remarks=REMARKS),
    cuda("OCC107", "h100", LAUNCHED.replace("REGS", "40").replace("PREPARE", ""), "49153", "49152"),
    cuda("OCC108", "h100", PLAIN.replace("void k", "void __cluster_dims__(HERE, 1, 1) k") + RUN, "16", "8"),
    Example("OCC109", "h100", "kernels.py", TILES, "4", "2", {"four.sm_90.cubin": cubins()["four.sm_90.cubin"]}),
    cuda("OCC201", "h100", ALLOWED.replace("REGS", "40"), "120000", "115712"),
    opencl("OCC201", "h100", LOCAL.replace("regs=8", "block=64"), "12289", "12288") if False else
    opencl("OCC201", "mi300x", LOCAL, "8193", "8192"),
    opencl("OCC201", "iris-xe", LOCAL, "8193", "8192"),
    opencl("OCC201", "adreno-730", LOCAL, "4097", "4096"),
    opencl("OCC201", "m1", LOCAL, "8192", "2048"),
    cuda("OCC202", "h100 sm_86", ALLOWED.replace("REGS", "?"), "120000", "101376"),
    hip("OCC202", "rx-7900-xtx mi300x", BOUNDED, "64, 16", "64, 8"),
    opencl("OCC202", "mi300x iris-xe", GROUP, "1024", "512"),
    opencl("OCC202", "h100 mali-g52-mp2", GROUP, "512", "256"),
    cuda("OCC203", "h100", COUNTED, "72", "64", settings=THRESHOLD.replace("HERE", "40")),
    hip("OCC203", "mi300x", COUNTED, "72", "64", settings=THRESHOLD.replace("HERE", "90")),
    opencl("OCC203", "arc-b580", LOCAL, "8192", "256", settings=THRESHOLD.replace("HERE", "99")),
    opencl("OCC203", "mali-g78-mp14", GROUP.replace("HERE", "64").replace("16\n", "HERE\n", 1), "40", "32",
           settings=THRESHOLD.replace("HERE", "60")),
    opencl("OCC203", "adreno-730", GROUP.replace("HERE", "256").replace("16\n", "HERE\n", 1), "16", "8",
           settings=THRESHOLD.replace("HERE", "40")),
    cuda("OCC301", "h100", COUNTED, "66", "64"),
    hip("OCC301", "mi300x", COUNTED, "66", "64"),
    opencl("OCC301", "adreno-730", GROUP.replace("HERE", "256").replace("16\n", "HERE\n", 1), "16", "32"),
    hip("OCC302", "mi250x", PLAIN + RUN, "128", "120", remarks=REMARKS.replace("Spill: 2", "Spill: 0")),
    Example("OCC204", "sm_86", "k.py", PIPELINED, "5", "4"),
    cuda("OCC303", "h100", SIZED, "4096, 100", "4096, 96"),
    hip("OCC303", "mi300x", SIZED, "4096, 96", "4096, 128"),
    opencl("OCC303", "arc-b580", GROUP, "100", "112"),
    opencl("OCC303", "mali-g78-mp14", GROUP, "100", "112"),
    opencl("OCC303", "adreno-730", GROUP, "200", "256"),
    opencl("OCC303", "m1", GROUP, "100", "96"),
    cuda("OCC304", "h100", f"// occupancy: regs=80\n{BOUNDED}", "512, 1", "512, 0"),
    Example("OCC305", "sm_75", "k.cu", PLAIN, "0", "0", {"k.ptxas.log": PTXAS}, edited=True),
    Example("OCC305", "mi250x", "k.hip", HIP_RUNTIME + PLAIN, "128", "128", {"k.gfx90a.remarks": REMARKS}, edited=True),
    opencl("OCC306", "mali-g78-mp14", HISTOGRAM, "64", "63"),
    opencl("OCC306", "adreno-730", HISTOGRAM, "256", "64"),
    cuda("OCC307", "h100", f"// occupancy: block=64\n{PLAIN}", "16", "2",
         cu="kernels: {k: {sm_90: {registers: 16, barriers: HERE}}}\n"),
    opencl("OCC307", "xe_hpc", GROUP.replace("HERE", "16").replace("// occupancy: regs=16\n", ""), "1", "0",
           cl="kernels: {k: {xe_hpc: {barriers: HERE}}}\n"),
    cuda("OCC308", "h100", SIZED, "36, 256", "528, 256"),
    hip("OCC308", "mi300x", SIZED, "100, 256", "304, 256"),
    opencl("OCC308", "arc-b580", GROUP.replace("HERE", "256").replace("regs=16", "grid=HERE"), "30", "40"),
]  # fmt: skip


def vendor(example: Example) -> str:
    found = Project(None, None, None).find_device(example.device.split()[-1])
    assert found is not None
    return found.vendor


def name(example: Example) -> str:
    return f"{example.code}-{example.device.replace(' ', '-')}"


@pytest.mark.usefixtures("caches")
@pytest.mark.parametrize("example", EXAMPLES, ids=name)
def test_red_on_the_fault_and_silent_on_its_neighbour(example: Example, tmp_path: Path) -> None:
    for faulty in (True, False):
        found = [it for it in diagnostics(example.view(tmp_path, faulty)) if it.code == example.code]
        assert bool(found) is faulty, found
        for it in found:
            assert len(it.message) <= LONGEST and re.search(r"\d", it.message), it.message


def test_each_rule_is_shown_on_each_vendor_that_it_is_for() -> None:
    shown = {code: {vendor(it) for it in EXAMPLES if it.code == code} for code in VENDORS}
    assert shown == {code: set(vendors.split()) for code, vendors in VENDORS.items()}
    assert set(VENDORS) == {rule.code for rule in RULES if re.match("OCC[1-9]", rule.code)}


PROMISES = re.compile(
    r"(?i)speed|fast|slow|quick|improv|optimi|boost|better|performan|maximi|too (?:low|small|few)|should"
)


@pytest.mark.parametrize("example", EXAMPLES, ids=name)
def test_nothing_promises_speed(example: Example, tmp_path: Path) -> None:
    """Neither messages nor the titles of what is offered: they say what fits, and what that takes."""
    view = example.view(tmp_path, True)
    said = [text for it in diagnostics(view) for text in (it.message, *(note.message for note in it.related))]
    said += [it.title for it in actions(view, 0, len(view.text.content))]
    said += [rule.summary for rule in RULES]
    assert [it for it in said if PROMISES.search(it)] == []


NAMES = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=120).filter(lambda it: it not in ("k", "p", "s"))
MORE = st.lists(st.sampled_from(("sm_86", "rtx-4090", "sm_75", "gh200", "mi300x", "iris-xe")), max_size=4, unique=True)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(EXAMPLES), NAMES, MORE, st.integers(1, 10**9))
def test_messages_are_short_whatever_the_names(example: Example, kernel: str, devices: list[str], number: int) -> None:
    """Long names of kernels, several devices, and large numbers where the fault stands."""
    source = re.sub(r"\bk\b(?!\.)", kernel, example.source)
    for faulty in (example.faulty, str(number)):
        with TemporaryDirectory() as folder:
            every = " ".join(dict.fromkeys([*example.device.split(), *devices]))
            changed = Example(example.code, every, example.name, source, faulty, "", example.files, example.edited)
            for it in diagnostics(changed.view(Path(folder), True)):
                assert len(it.message) <= LONGEST, it.message


@settings(max_examples=150, deadline=None)
@given(kernels(), DEVICES, DEVICES)
def test_fixes_state_registers_and_notes_are_no_novels(
    made: tuple[str, dict[str, int]], device: str, other: str
) -> None:
    view = view_of(made[0], *dict.fromkeys((device, other)))
    for _, _, finding in rule_findings(view):
        assert len(finding.message) <= LONGEST
        for fix in finding.fixes:
            assert re.search(r"at most \d+ registers", fix.title), fix.title


ADVICE = {rule.code for rule in RULES if rule.advice}


@pytest.mark.parametrize("example", EXAMPLES, ids=name)
def test_intent_silences_advice_alone(example: Example, tmp_path: Path) -> None:
    comment = "// occupancy: intended\n"
    source = re.sub(r"(?m)^(__global__|__kernel)", rf"{comment}\1", example.source)
    texts = ((name, text) for name, text in example.files.items() if isinstance(text, str))
    files = {**example.files, **{name: text.replace("k.hip:2:", "k.hip:3:") for name, text in texts}}
    meant = Example(example.code, example.device, example.name, source, example.faulty, "", files, example.edited)
    found = {it.code for it in diagnostics(meant.view(tmp_path, True))}
    assert (example.code in found) == (example.code not in ADVICE) and not found & ADVICE
