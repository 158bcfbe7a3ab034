"""Each rule on each family of devices that its limits tell apart: a kernel at fault, and the same one unit off.

Where a compiler judges, both are compiled and its answer is the truth; what it counts is what the rules then read.
The other limits are the vendors' own: CUDA's and OpenCL's device properties, AMD's HIP runtime, Intel's driver.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.rules.registry import RULES
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.compilers import clang, for_hip, nvcc
from tests.rules.test_every_rule import PIPELINED
from tests.support import live

_LOGS = {"cu": "k.ptxas.log", "hip": "k.remarks"}


@dataclass(frozen=True)
class Case:
    """`fault` and `neighbour` stand for HERE in `source`, and in the file `beside`, of a name and a text.

    `arch`: what both are compiled for. `said`, `unsaid`: by the compiler of the fault and of the neighbour; unsaid "":
    not what is said of the fault. `counted`: its output is kept as a build's. `edited`: the fault is saved after it.
    """

    code: str
    devices: str
    language: str
    source: str
    fault: str
    neighbour: str
    arch: str = ""
    said: str = ""
    unsaid: str = ""
    counted: bool = False
    edited: bool = False
    beside: tuple[str, str] = ("", "")

    @property
    def id(self) -> str:
        return re.sub(r"[^\w.-]+", "-", f"{self.code}-{self.language}-{self.devices}-{self.fault}")


def cuda(code: str, device: str, source: str, fault: object, neighbour: object) -> Case:
    return Case(code, device, "cu", source, str(fault), str(neighbour))


def hip(code: str, device: str, source: str, fault: object, neighbour: object) -> Case:
    return Case(code, device, "hip", f"#include <hip/hip_runtime.h>\n{source}", str(fault), str(neighbour))


def cl(code: str, device: str, source: str, fault: object, neighbour: object) -> Case:
    return Case(code, device, "cl", source, str(fault), str(neighbour))


def judged(case: Case, arch: str, said: str, unsaid: str = "") -> Case:
    return replace(case, arch=arch, said=said, unsaid=unsaid)


def counted(case: Case, arch: str, said: str, unsaid: str = "") -> Case:
    return replace(case, arch=arch, said=said, unsaid=unsaid or said, counted=True)


def budget(limit: str, case: Case) -> Case:
    return replace(case, beside=(".occupancy.yaml", f"budgets: [{{kernel: '*', {limit}: HERE}}]\n"))


def threshold(case: Case) -> Case:
    return replace(case, beside=(".occupancy.yaml", "threshold: HERE\n"))


PLAIN = "__global__ void k(float* p) { p[threadIdx.x] *= 2; }\n"
BOUNDED = PLAIN.replace("void k", "void __launch_bounds__(HERE) k")
RUN = "void run(float* p) { k<<<HERE>>>(p); }\n"
INSTANCES = """template <int B> __global__ void __launch_bounds__(B) k(float* p) { p[threadIdx.x] = B; }
void other(float* p) { k<512><<<9, 512>>>(p); }
"""
FLAT = "__attribute__((amdgpu_flat_work_group_size(1, 96)))"
CLUSTER = PLAIN.replace("void k", "void __cluster_dims__(2, 1, 1) k")
ASKED = """void run(float* p) {
  cudaLaunchConfig_t config = {0};
  config.gridDim = 4096 * 9;
  config.blockDim = 64;
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = HERE;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  config.attrs = attributes;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, k, p);
}
"""
REGISTERS = "// occupancy: regs=HERE\n"
TILE = """__global__ void k(const float* in, float* out) {
  __shared__ float tile[HERE];
  tile[threadIdx.x] = in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
"""
DYNAMIC = "__global__ void k(float* p) { extern __shared__ float s[]; p[threadIdx.x] = s[threadIdx.x]; }\n"
ALLOWED = """void run(float* p) {
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, HERE);
  k<<<9999, 256, HERE>>>(p);
}
"""
REQUIRED = """__kernel __attribute__((reqd_work_group_size(HERE, 1, 1)))
void k(__global float* p) { p[get_global_id(0)] *= 2; }
"""
LOCAL = """__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k(__global const float* in, __global float* out) {
  __local float tile[HERE];
  tile[get_local_id(0)] = in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[get_local_id(0) ^ 1];
}
"""
PICKED = """__kernel void k(__global const uchar* in, __global uint* out, int n) {
  uint hist[HERE];
  for (int i = 0; i < n; ++i) hist[in[i]] = i;
  for (int i = 0; i < 8; ++i) out[i] = hist[i];
}
"""
TAKING = """__global__ void __launch_bounds__(128, 4) k(float* p) {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 HERE;");
  p[threadIdx.x] = 1;
}
"""
BARRIERS = """__global__ void k(float* p) { p[0] = 1; asm volatile("bar.sync HERE;"); p[1] = p[0]; }
void run(float* p) { k<<<99999, 64>>>(p); }
"""
STATIC = BOUNDED.replace(
    "p[threadIdx.x] *= 2;",
    """__shared__ float tile[8192];
  tile[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = tile[threadIdx.x ^ 1];""",
)
SIXTEEN = "__attribute__((intel_reqd_sub_group_size(16))) "
COOPERATIVE = """__global__ void __launch_bounds__(256) k(float* p) {{ p[0] = 1; }}
void run(float* p) {{ void* a[] = {{&p}}; {}LaunchCooperativeKernel((void*)k, HERE, 256, a, 0, 0); }}
"""
CONTRACT = "// occupancy: expect blocks_per_sm >= HERE\n"
_ARGUMENTS = "live(const float* in, float* out, int i, int s, int n)"
MANY = "void run(const float* in, float* out, int i, int s, int n) { live<<<99999, 256>>>(in, out, i, s, n); }\n"


def kernel(values: int, bounds: str = "", mad: str = "fmaf") -> str:
    return live(values, f"__global__ void {f'__launch_bounds__({bounds}) ' if bounds else ''}{_ARGUMENTS}", mad)


def for_amd(values: int, bounds: str = "") -> str:
    return kernel(values, bounds, "__builtin_fmaf")


# The largest work-groups: compute capabilities in CUDA's programming guide, CL_DEVICE_MAX_WORK_GROUP_SIZE elsewhere.
THREADS = {
    "sm_13": 512, "sm_20": 1024, "h100": 1024, "mi300x": 1024, "rx-7900-xtx": 1024, "hd-5870": 256,
    "uhd-630": 256, "iris-xe": 512, "arc-a770": 1024, "arc-b580": 1024, "mali-t880": 256, "mali-g71-mp8": 384,
    "mali-g31": 512, "mali-g51": 768, "mali-g78-mp14": 1024, "adreno-610": 1024, "m1": 1024,
    "powervr-gx6250": 512, "powervr-axe-1-16m": 384,
}  # fmt: skip
CASES = [
    *(cl("OCC001", device, REQUIRED, most + 1, most) for device, most in THREADS.items()),
    cl("OCC001", "adreno-730", REQUIRED.replace("HERE, 1", "HERE, 3"), 683, 682),  # 2048 in all, 1024 in a dimension
    *(cuda("OCC001", device, PLAIN + RUN.replace("HERE", "9, HERE"), most + 1, most) for device, most in
      (("sm_13", 512), ("sm_75", 1024), ("sm_121", 1024))),
    *(hip("OCC001", device, PLAIN + RUN.replace("HERE", "9, HERE"), 1025, 1024) for device in ("gfx906", "gfx1201")),
    cuda("OCC001", "sm_80", PLAIN + RUN, "9, dim3(2, 2, 65)", "9, dim3(2, 2, 64)"),
    judged(cuda("OCC001", "sm_90", kernel(90, "HERE"), 1025, 1024), "sm_90", "Used 56 registers", "Used 64 registers"),
    judged(cuda("OCC001", "sm_86", kernel(90, "HERE"), 1537, 1024), "sm_86", "maxntid will be ignored"),
    *(judged(cuda("OCC002", arch, TILE, 12289, 12288), arch, "uses too much shared data")
      for arch in ("sm_75", "sm_90", "sm_121")),
    *(judged(hip("OCC002", arch, TILE, most // 4 + 1, most // 4), arch, f"exceeds limit .{most}.") for arch, most in
      (("gfx600", 32768), ("gfx803", 65536), ("gfx90a", 65536), ("gfx942", 65536), ("gfx950", 163840),
       ("gfx1030", 65536), ("gfx1100", 65536), ("gfx1201", 65536), ("gfx1250", 327680))),
    *(cl("OCC002", device, LOCAL, most // 4 + 1, most // 4) for device, most in
      (("uhd-630", 65536), ("iris-xe", 65536), ("arc-a770", 65536), ("arc-b580", 131072), ("xe3p", 196608))),
    *(counted(cuda("OCC003", arch, kernel(120) + MANY.replace("256", "HERE"), 385, 384), arch, "Used 168 registers")
      for arch in ("sm_75", "sm_90")),
    cuda("OCC003", "sm_62", "// occupancy: regs=64\n" + PLAIN + RUN.replace("HERE", "9, HERE"), 513, 512),
    *(hip("OCC003", device, REGISTERS + PLAIN + RUN.replace("HERE", "9, 1024"), most + 1, most) for device, most in
      (("gfx900", 64), ("gfx90a", 128), ("gfx1030", 128), ("gfx1100", 192))),
    *(judged(cuda("OCC004", arch, "__global__ void HERE k(float* p) { p[0] = 1; }\n", "__cluster_dims__(1, 1, 1)",
                  "__launch_bounds__(64, 1)"), arch, "is not supported for this GPU architecture")
      for arch in ("sm_75", "sm_89")),
    *(judged(cuda("OCC009", arch, PLAIN.replace("void k", "void HERE k"), "__launch_bounds__(64) __maxnreg__(64)",
                  "__launch_bounds__(64, 16)"), arch, "cannot be applied to the same kernel")
      for arch in ("sm_75", "sm_90", "sm_120")),
    cuda("OCC009", "sm_90", PLAIN.replace("void k", "void __block_size__((64, 1, 1)) HERE k"), "__launch_bounds__(64)",
         "__launch_bounds__(0)"),
    *(cuda("OCC010", device, COOPERATIVE.format("cuda"), most + 1, most) for device, most in
      (("rtx-5060-ti", 36 * 6), ("p100", 56 * 8), ("h100", 132 * 8))),
    *(hip("OCC010", device, COOPERATIVE.format("hip"), most + 1, most) for device, most in
      (("mi210", 104 * 8), ("rx-7900-xtx", 48 * 8))),
    cuda("OCC005", "sm_80", PLAIN.replace("void k", "void __launch_bounds__(96) k") + RUN, "9, 97", "9, 96"),
    *(hip("OCC005", device, PLAIN.replace("void k", "void __launch_bounds__(96) k") + RUN, "9, 97", "9, 96")
      for device in ("gfx942", "gfx1100")),
    cuda("OCC005", "sm_90", INSTANCES + RUN.replace("k<", "k<96><"), "9, 97", "9, 96"),
    *(hip("OCC005", device, PLAIN.replace("void k", f"void {FLAT} k") + RUN, "9, 97", "9, 96")
      for device in ("gfx90a", "gfx1201")),
    cuda("OCC006", "sm_120", PLAIN + RUN, "dim3(9, 9, 65536), 64", "dim3(9, 9, 65535), 64"),
    cuda("OCC006", "sm_75", PLAIN + RUN, "2147483648u, 64", "2147483647u, 64"),
    hip("OCC006", "gfx1100", PLAIN + RUN, "dim3(9, 0), 64", "dim3(9, 1), 64"),
    *(judged(cuda("OCC006", "sm_90", PLAIN.replace("void k", f"void {head} k"), 0, 1), "sm_90", "must be positive")
      for head in ("__maxnreg__(HERE)", "__block_size__((64, HERE, 1))")),
    judged(hip("OCC006", "gfx90a", BOUNDED, 0, 1), "gfx90a", "min must not be greater than max"),
    judged(hip("OCC006", "gfx1100", BOUNDED, 0, -1), "gfx1100", "min must not be greater than max"),
    *(judged(hip("OCC006", "gfx942", PLAIN.replace("void", f"void __attribute__(({name}(HERE)))", 1), fault, right),
             "gfx942", "attribute argument is invalid") for name, fault, right in
      (("amdgpu_flat_work_group_size", "65, 64", "64, 64"), ("amdgpu_flat_work_group_size", "0, 1", "0, 0"),
       ("amdgpu_waves_per_eu", "3, 2", "2, 2"), ("amdgpu_waves_per_eu", "0, 1", "1, 0"))),
    *(judged(cl("OCC006", device, REQUIRED, 0, 1), "spir64", "must be greater than 0")
      for device in ("arc-b580", "mali-g31", "adreno-730", "m1", "powervr-gx6250")),
    judged(cl("OCC006", "mi300x", REQUIRED, 0, 1), "gfx942", "must be greater than 0"),
    *(judged(cuda("OCC008", arch, PLAIN.replace("void k", f"void {head} __launch_bounds__(64, 1, HERE) k"), fault, 0),
             arch, said) for arch, head, fault, said in
      (("sm_90", "__cluster_dims__(4, 1, 1)", 8, "Conflicting directives: .reqnctapercluster and .maxclusterrank"),
       ("sm_90", "__cluster_dims__(4, 1, 1)", 3, "specified limit for max blocks in cluster"),
       ("sm_120", "__cluster_dims__(2, 2, 1)", 4, "Conflicting directives: .reqnctapercluster and .maxclusterrank"))),
    *(cuda("OCC008", arch, CLUSTER + RUN, "9, 64", "10, 64") for arch in ("sm_90", "sm_100", "sm_121")),
    *(cuda("OCC008", device, PLAIN.replace("void k", "void __cluster_dims__(HERE, 1, 1) k"), most + 1, most)
      for device, most in (("sm_90", 16), ("jetson-agx-thor", 8))),
    cuda("OCC008", "sm_90", PLAIN.replace("void k", "void __launch_bounds__(64, 1, 4) k") + ASKED, 8, 4),
    cuda("OCC008", "sm_100", CLUSTER + ASKED, 4, 2),
    *(cuda("OCC108", arch, PLAIN + ASKED, 9, 8) for arch in ("sm_90", "sm_120")),
    *(cuda("OCC101", arch, STATIC, f"128, {fit + 1}", f"128, {fit}")
      for arch, fit in (("sm_75", 2), ("sm_86", 3), ("sm_90", 6), ("sm_121", 3))),
    *(counted(budget(limit, cuda("OCC007", "sm_90", kernel(60) + MANY, fault, neighbour)), "sm_90", "Used 72 registers")
      for limit, fault, neighbour in (("min_groups", 4, 3), ("min_percent", 38, 37), ("max_registers", 71, 72))),
    counted(budget("max_registers", hip("OCC007", "gfx90a", for_amd(60) + MANY, 64, 128)), "gfx90a", r"SIMD\]: 4"),
    budget("max_local", cl("OCC007", "uhd-630", LOCAL.replace("HERE", "8192"), "32767", "32KiB")),
    *(budget("max_local", cuda("OCC007", arch, DYNAMIC + RUN.replace("HERE", "9, 256, 4096"), 4095, 4096))
      for arch in ("sm_75", "sm_120")),
    *(counted(budget("max_spill", cuda("OCC007", arch, kernel(90, "256, 3") + MANY, 0, 9999)), arch,
              "[1-9][0-9]* bytes spill stores") for arch in ("sm_80", "sm_86")),
    *(judged(cuda("OCC102", arch, BOUNDED, f"{threads}, {most + 1}", f"{threads}, {most}"), arch,
             "minnctapersm will be ignored") for arch, threads, most in
      (("sm_75", 256, 4), ("sm_75", 32, 16), ("sm_86", 128, 12), ("sm_89", 32, 24), ("sm_90", 32, 32),
       ("sm_120", 64, 24))),
    *(judged(hip("OCC103", arch, for_amd(values, "HERE"), fault, neighbour), arch, same, other)
      for arch, values, fault, neighbour, same, other in (
          ("gfx90a", 60, "1024, 3", "1024, 5", r" VGPRs: 1\d\d ", r" VGPRs: \d\d "),
          ("gfx942", 60, "512, 9", "512, 8", "failed to meet occupancy target", " VGPRs: 64 "),
          ("gfx1030", 90, "1024, 3", "1024, 16", r" VGPRs: 9\d ", " VGPRs: 6[0-4] "))),
    *(judged(cuda("OCC104", device, TAKING, 136, 128), f"{arch}a", "Used 128 registers", "Used 128 registers")
      for device, arch in (("h100", "sm_90"), ("b200", "sm_100"))),
    judged(cuda("OCC104", "h100", TAKING, 252, 128), "sm_90a", "expected to be multiple of 8"),
    counted(cuda("OCC105", "sm_90", CONTRACT + kernel(60) + MANY, 4, 3), "sm_90", "Used 72 registers"),
    counted(hip("OCC105", "gfx90a", CONTRACT + for_amd(60) + MANY, 5, 4), "gfx90a", r"Occupancy \[waves/SIMD\]: 4"),
    *(cl("OCC105", device, "// occupancy: regs=16\n" + CONTRACT + REQUIRED.replace("HERE", "256"), fit + 1, fit)
      for device, fit in (("uhd-630", 7), ("iris-xe", 14), ("arc-a770", 16), ("arc-b580", 8), ("mali-g71-mp8", 1),
                          ("mali-g31", 2), ("mali-g78-mp14", 4), ("adreno-610", 1), ("adreno-730", 3), ("hd-5870", 4))),
    *(counted(cuda("OCC106", arch, kernel(90, "256, HERE") + MANY, 3, 2), arch, "[1-9][0-9]* bytes spill stores",
              " 0 bytes spill stores") for arch in ("sm_80", "sm_86", "sm_120")),
    *(counted(hip("OCC106", arch, for_amd(values, "256, HERE") + MANY, fault, neighbour), arch, "VGPRs Spill: [1-9]",
              "VGPRs Spill: 0") for arch, values, fault, neighbour in
      (("gfx90a", 120, 3, 2), ("gfx942", 120, 3, 2), ("gfx1100", 120, 11, 10))),
    *(cuda("OCC107", arch, DYNAMIC + ALLOWED, most + 1, most) for arch, most in
      (("sm_75", 65536), ("sm_80", 166912), ("sm_90", 232448), ("sm_120", 101376), ("sm_60", 49152))),
    cuda("OCC107", "sm_120", DYNAMIC + RUN, "9, 64, 49153", "9, 64, 49152"),
    *(hip("OCC107", device, DYNAMIC + RUN, f"9, 64, {most + 1}", f"9, 64, {most}") for device, most in
      (("mi300x", 65536), ("mi350x", 163840), ("rx-7900-xtx", 65536))),
    *(cuda("OCC201", arch, DYNAMIC + ALLOWED, half + 1, half) for arch, half in
      (("sm_75", 32768), ("sm_86", 50176), ("sm_120", 50176))),
    *(hip("OCC201", device, DYNAMIC + RUN, f"9999, 256, {half + 1}", f"9999, 256, {half}") for device, half in
      (("mi300x", 32768), ("mi350x", 81920))),
    *(cl("OCC201", device, LOCAL, half // 4 + 1, half // 4) for device, half in
      (("uhd-630", 32768), ("arc-b580", 65536), ("adreno-610", 8192), ("m1", 30720), ("hd-5870", 16384))),
    cuda("OCC202", "h100 sm_75", DYNAMIC + ALLOWED.replace("9999", "9998"), 65537, 65536),
    hip("OCC202", "mi350x mi300x", DYNAMIC + RUN, "9999, 256, 65537", "9999, 256, 65536"),
    hip("OCC202", "mi350x mi300x", TILE, 16385, 16384),
    cl("OCC202", "arc-b580 uhd-630", REQUIRED, 257, 256),
    cl("OCC202", "adreno-730 mali-g71-mp8", REQUIRED, 385, 384),
    counted(threshold(cuda("OCC203", "sm_90", kernel(60) + MANY, 38, 37)), "sm_90", "Used 72 registers"),
    counted(threshold(hip("OCC203", "gfx90a", for_amd(60) + MANY, 51, 50)), "gfx90a", r"Occupancy \[waves/SIMD\]: 4"),
    threshold(cl("OCC203", "uhd-630", LOCAL.replace("HERE", "8192"), 29, 28)),
    threshold(cl("OCC203", "mali-g52-mp2", "// occupancy: regs=40\n" + REQUIRED.replace("HERE", "96"), 51, 50)),
    threshold(cl("OCC203", "adreno-610", LOCAL.replace("HERE", "2048"), 13, 12)),
    *(Case("OCC204", arch, "py", PIPELINED, str(most + 1), str(most)) for arch, most in
      (("sm_80", 6), ("sm_86", 4), ("sm_90", 7), ("sm_100", 7))),
    *(cuda("OCC301", arch, REGISTERS + PLAIN + RUN.replace("HERE", "99999, 256"), most + 4, most + 5) for arch, most in
      (("sm_75", 64), ("sm_80", 64), ("sm_86", 40), ("sm_120", 40))),
    cuda("OCC301", "sm_90", "// occupancy: regs=32\n" + DYNAMIC + ALLOWED, 57344 + 512, 57344 + 513),
    *(hip("OCC301", arch, REGISTERS + PLAIN + RUN.replace("HERE", "99999, 256"), most + 4, most + 5) for arch, most in
      (("gfx90a", 64), ("gfx1100", 96))),
    *(cl("OCC301", device, REGISTERS + REQUIRED.replace("HERE", "256"), most + 1, most) for device, most in
      (("hd-5870", 8), ("adreno-730", 6))),
    *(counted(hip("OCC302", arch, for_amd(values) + MANY.replace("256", "HERE"), most, most + 1), arch, said)
      for arch, values, most, said in (("gfx900", 70, 768, " VGPRs: 6[1-4] "), ("gfx90a", 90, 768, " VGPRs: 12[5-8] "),
                                       ("gfx1030", 130, 896, " VGPRs: 12[1-8] "))),
    *(cuda("OCC303", "sm_75", PLAIN + RUN, f"99999, {fault}", f"99999, {neighbour}")
      for fault, neighbour in ((97, 96), (127, 128))),
    *(hip("OCC303", device, PLAIN + RUN, f"99999, {fault}", f"99999, {neighbour}") for device, fault, neighbour in
      (("mi300x", 129, 128), ("mi300x", 96, 128), ("rx-7900-xtx", 97, 96))),
    *(cl("OCC303", device, REQUIRED, fault, neighbour) for device, fault, neighbour in
      (("uhd-630", 36, 40), ("xe_hpc", 40, 48), ("mali-g71-mp8", 67, 68), ("mali-g52-mp2", 71, 72),
       ("mali-g78-mp14", 79, 80), ("adreno-610", 127, 128), ("adreno-730", 255, 256), ("m1", 63, 64),
       ("powervr-gx6250", 63, 64), ("hd-5870", 127, 128))),
    *(counted(cuda("OCC304", arch, kernel(24, "256, HERE") + MANY, 1, other), arch, "Used [3-7]")
      for arch, other in (("sm_80", 2), ("sm_90", 2), ("sm_90", 0))),
    replace(counted(cuda("OCC305", "sm_90", f"{PLAIN}// HERE\n", "after", "before"), "sm_90", "Used"), edited=True),
    replace(counted(hip("OCC305", "gfx942", f"{PLAIN}// HERE\n", "after", "before"), "gfx942", "VGPRs"), edited=True),
    *(cl("OCC306", device, PICKED, fault, fault - 1) for device, fault in
      (("mali-t880", 64), ("mali-g31", 64), ("mali-g78-mp14", 64), ("adreno-610", 65), ("adreno-730", 65))),
    *(counted(cuda("OCC307", arch, BARRIERS, most, most - 1), arch, f"used {most + 1} bar", f"used {most} bar")
      for arch, most in (("sm_90", 2), ("sm_100", 2), ("sm_120", 1))),
    *(replace(cl("OCC307", device, SIXTEEN + REQUIRED.replace("HERE", "16"), 1, 0),
              beside=("k.cl.occupancy.yaml", f"kernels: {{k: {{{device}: {{barriers: HERE}}}}}}\n"))
      for device in ("gen9", "xe_hpc")),
    *(cuda("OCC308", device, "// occupancy: regs=64\n" + PLAIN + RUN, f"{fault}, 256", f"{fault + 1}, 256")
      for device, fault in (("a100", 345), ("t4", 128))),
    *(hip("OCC308", device, "// occupancy: regs=64\n" + PLAIN + RUN, f"{fault}, 256", f"{fault + 1}, 256")
      for device, fault in (("mi300x", 1945), ("rx-7900-xtx", 614))),
    *(cl("OCC308", device, "// occupancy: grid=HERE\n" + SIXTEEN + REQUIRED.replace("HERE", "256"), fault, fault + 1)
      for device, fault in (("arc-a770", 409), ("arc-b580", 128))),
]  # fmt: skip


def of_clang(case: Case) -> list[str]:
    start = clang().start
    if case.language == "cl":
        target = ["spir64", "-emit-llvm"] if case.arch == "spir64" else ["amdgcn-amd-amdhsa", f"-mcpu={case.arch}"]
        return [*start, "-x", "cl", "-cl-std=CL2.0", "-cl-no-stdinc", "-nogpulib", "-S", "-target", *target]
    options = ["--cuda-device-only", f"--offload-arch={case.arch}", "-O3", "-S"]
    return [*start, "-x", "hip", *for_hip(), *options, "-Rpass-analysis=kernel-resource-usage"]


def compiled(case: Case, folder: Path) -> str:
    command = [*nvcc(), f"-arch={case.arch}", "-cubin", "-Xptxas", "-v"] if case.language == "cu" else of_clang(case)
    name = f"k.{case.language}"
    return _said((*command, name), name, (folder / name).read_text())


@cache
def _said(command: tuple[str, ...], name: str, text: str) -> str:
    """What the compiler says: once, for many cases are about the same text."""
    with TemporaryDirectory() as folder:
        Path(folder, name).write_text(text)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def findings(case: Case, number: str, said: str, folder: Path) -> list[str]:
    path = folder / f"k.{case.language}"
    if case.arch:
        output = compiled(case, folder)
        assert re.search(said, output), output
        assert case.unsaid or number == case.fault or not re.search(case.said, output), output
        if case.counted:
            (folder / _LOGS[case.language].replace("k.", f"k.{case.arch}.")).write_text(output)
    when = 2e9 if case.edited and number == case.fault else 1e9
    os.utime(path, (when, when))
    project = Project(folder, None, {"devices": case.devices.split()})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(path, "", Text(path.read_bytes()), project).view()
    assert view is not None
    return [it.message for it in diagnostics(view) if it.code == case.code]


@pytest.mark.parametrize("case", CASES, ids=lambda it: it.id)
def test_the_fault_is_told_and_its_neighbour_is_not(case: Case, tmp_path: Path) -> None:
    if sys.platform == "darwin" and case.arch and case.language == "cu":
        pytest.skip("no nvcc for macOS")
    for number, said in ((case.fault, case.said), (case.neighbour, case.unsaid)):
        name, text = case.beside
        for file, content in ((f"k.{case.language}", case.source), *([(name, text)] if name else [])):
            (tmp_path / file).write_text(content.replace("HERE", number))
        found = findings(case, number, said, tmp_path)
        assert bool(found) is (number == case.fault), (number, found)


def test_every_rule_has_a_case() -> None:
    shown = {it.code for it in CASES} | {"OCC109"}  # of what a cubin says: `test_every_rule` has it with its neighbour
    assert shown == {rule.code for rule in RULES if rule.code.startswith("OCC")}


_VENDORS = {"nvidia": "NVIDIA", "amd": "AMD", "intel": "Intel", "arm": "Arm", "qualcomm": "Qualcomm", "apple": "Apple",
            "imagination": "Imagination"}  # fmt: skip
_VALIDATION = Path(__file__).parents[2] / "docs" / "validation.md"


def test_the_table_of_cases() -> None:
    """docs/validation.md says how many there are: by rule and vendor, those that a compiler judges in parentheses."""
    found: dict[str, dict[str, list[bool]]] = {}
    for case in CASES:
        device = Project(None, None, None).find_device(case.devices.split()[-1])
        assert device is not None
        found.setdefault(case.code, {}).setdefault(device.vendor, []).append(bool(case.arch))
    rows = [_cells(found[code]) for code in sorted(found)]
    lines = [f"| {code} | {' | '.join(row)} |" for code, row in zip(sorted(found), rows, strict=True)]
    head = f"| rule | {' | '.join(_VENDORS.values())} |\n|{'---|' * (len(_VENDORS) + 1)}"
    assert "\n".join((head, *lines)) in _VALIDATION.read_text("utf-8"), "\n".join((head, *lines))


def _cells(by_vendor: dict[str, list[bool]]) -> list[str]:
    every = (by_vendor.get(vendor, []) for vendor in _VENDORS)
    return [f"{len(it)} ({sum(it)})" if any(it) else str(len(it) or "–") for it in every]
