"""LLVM gives a kernel that wants more exactly the vector registers that its head allows.

The kernels are LLVM's own language, with the attributes that clang makes of these heads.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from occupancy_lsp.compile.toolchains import Toolchain
from occupancy_lsp.counts.formats import amd_assembly
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.source.lex.dialect import HIP, OPENCL, Dialect
from occupancy_lsp.vendors.amd.arch import AmdArch
from tests.model.amd_support import amd

from .compared import MARGIN, Compared, ceilings, read

TARGETS = ("gfx900", "gfx90a", "gfx942", "gfx1100", "gfx1201")
_MOST = 256  # LLVM takes half a minute to spill from two whole files of registers
_LDS = (0, 0, 4096, 8192, 16384, 32768, 49152)


@dataclass(frozen=True, slots=True)
class Head:
    """`sizes`: threads of the smallest and the largest group, None: not said. `waves`: of `amdgpu_waves_per_eu`."""

    dialect: Dialect
    how: str
    sizes: tuple[int, int] | None
    waves: tuple[int, ...] = ()
    local: int = 0

    @property
    def text(self) -> str:
        low, high = self.sizes or (0, 0)
        waves = ", ".join(map(str, self.waves))
        if self.how == "__launch_bounds__":
            return f"__launch_bounds__({', '.join(map(str, (high, *self.waves)))})"
        sizes = {
            "amdgpu_flat_work_group_size": f"amdgpu_flat_work_group_size({low}, {high})",
            "reqd_work_group_size": f"reqd_work_group_size({high}, 1, 1)",
        }.get(self.how, "")
        attributes = [it for it in (sizes, waves and f"amdgpu_waves_per_eu({waves})") if it]
        return " ".join(f"__attribute__(({it}))" for it in attributes)

    def source(self, index: int) -> str:
        qualifiers = ("__kernel", "__global", "__local") if self.dialect is OPENCL else ("__global__", "", "__shared__")
        start, pointer, local = qualifiers
        array = f"{local} char t[{self.local}]; t[0] = p[0]; p[1] = t[p[2]];" if self.local else ""
        return f"{start} {self.text} void k{index}({pointer} char* p) {{ {array} }}"

    @property
    def attributes(self) -> str:
        low, high = self.sizes or (1, 256 if self.dialect is OPENCL else 1024)
        waves = f' "amdgpu-waves-per-eu"="{",".join(map(str, self.waves))}"' if self.waves else ""
        return f'"amdgpu-flat-work-group-size"="{low},{high}"{waves}'


def heads(target: str, count: int, seed: int = 1) -> list[Head]:
    """Random ones that LLVM compiles quickly."""
    arch = amd(target)
    quick = (it for it in _random(Random(f"{seed} {target}"), arch) if _allowed(arch, it) <= _MOST)
    return list(islice(quick, count))


def _random(random: Random, arch: AmdArch) -> Iterator[Head]:
    slots = arch.waves_per_simd
    while True:
        high = random.choice((random.randint(1, 1024), 64, 128, 256, 512, 1024))
        low = random.choice((1, random.randint(1, high)))
        least = random.randint(1, slots + 1)
        waves = random.choice(((), (least,), (least, random.randint(least, slots + 3))))
        local = random.choice(_LDS)
        yield random.choice((
            Head(HIP, "__launch_bounds__", (1, high), waves[:1], local),
            Head(HIP, "amdgpu_flat_work_group_size", (low, high), waves, local),
            Head(HIP, "", None, waves, local),
            Head(OPENCL, "", None, waves, local),
            Head(OPENCL, "reqd_work_group_size", (high, high), waves, local),
        ))  # fmt: skip


def _allowed(arch: AmdArch, head: Head) -> int:
    (allowed,) = ceilings(arch, read(head.source(0), head.dialect), head.dialect)
    return allowed


def compared(clang: Toolchain, target: str, asked: Sequence[Head]) -> Iterator[Compared]:
    arch = amd(target)
    found = [(head, _allowed(arch, head)) for head in asked]
    for (head, allowed), usage in zip(found, _compiled(clang, arch, found), strict=True):
        said = f"{head.dialect.name} {head.text or 'without bounds'}, {head.local} B"
        yield Compared(target, said, allowed, _total(arch, usage))


def _total(arch: AmdArch, usage: Usage) -> int | None:
    """On the unified files accumulation registers begin at a multiple of four."""
    own, more = usage.registers or 0, usage.accumulators or 0
    return -(-own // 4) * 4 + more if arch.accumulation == "unified" and more else own


def _compiled(clang: Toolchain, arch: AmdArch, asked: Sequence[tuple[Head, int]]) -> list[Usage]:
    text = "\n".join(_kernel(index, head, allowed) for index, (head, allowed) in enumerate(asked))
    target = ("--target=amdgcn-amd-amdhsa", f"-mcpu={arch.id}", "-nogpulib", "-Wno-override-module")
    command = [*clang.start, *target, "-O1", "-x", "ir", "-S", "-", "-o", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    usages = {it.kernel: it for it in amd_assembly.read(done.stdout.encode(), "").usages}
    return [usages[f"k{index}"] for index in range(len(asked))]


def _kernel(index: int, head: Head, allowed: int) -> str:
    live = range(allowed + MARGIN)
    lines = [f"@t{index} = internal addrspace(3) global [{head.local} x i8] poison, align 16"] if head.local else []
    lines.append(f"define amdgpu_kernel void @k{index}() #{index} {{")
    if head.local:
        lines.append(f"store volatile i8 1, ptr addrspace(3) @t{index}")
    lines += [f'%v{it} = call i32 asm sideeffect "", "=v"()' for it in live]
    lines += [f'call void asm sideeffect "", "v"(i32 %v{it})' for it in reversed(live)]
    return "\n".join([*lines, "ret void", "}", f"attributes #{index} = {{ {head.attributes} }}"])
