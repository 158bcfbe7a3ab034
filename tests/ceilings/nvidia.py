"""ptxas gives a kernel that wants more exactly the registers that its head allows, and warns of what it ignores.

The kernels are PTX, as nvcc makes it of these heads.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from occupancy_lsp.compile.toolchains import Machine, find_nvcc
from occupancy_lsp.counts.formats import ptxas as reader
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.vendor import NO_OPTIONS, Options
from tests.model.support import archs

from .compared import MARGIN, Compared, ceilings, read

_OLDEST = ".version 8.0\n.target sm_75\n.address_size 64\n"  # which every ptxas of CUDA 13 takes for every target
_IGNORED = re.compile(r"for entry k(\d+) is out of range\. \.?minnctapersm")


@dataclass(frozen=True, slots=True)
class Head:
    """`how`: by which annotation; `threads` and `groups`, or for `__maxnreg__` its `threads` registers."""

    how: str
    threads: int = 0
    groups: int = 0

    @property
    def cuda(self) -> str:
        return {
            "__launch_bounds__": f"__launch_bounds__({self.threads}, {self.groups})",
            "__block_size__": f"__block_size__(({self.threads}, 1, 1))",
            "__maxnreg__": f"__maxnreg__({self.threads})",
        }.get(self.how, "")

    @property
    def ptx(self) -> str:
        least = f" .minnctapersm {self.groups}" if self.groups else ""
        return {
            "__launch_bounds__": f".maxntid {self.threads}{least}",
            "__block_size__": f".reqntid {self.threads}",
            "__maxnreg__": f".maxnreg {self.threads}",
        }.get(self.how, "")


def find_ptxas(machine: Machine) -> Path | None:
    """That of the first nvcc."""
    found = (Path(it.start[0]).with_name("ptxas") for it in find_nvcc(machine, None))
    return next((it for it in found if it.is_file()), None)


def targets(ptxas: Path) -> list[NvidiaArch]:
    said = subprocess.run([ptxas, "--help"], capture_output=True, text=True, check=True).stdout
    return [it for it in archs().values() if f"'{it.id}'" in said]


def triples(ptxas: Path, count: int, seed: int = 1) -> Iterator[Compared]:
    """Random (threads, minBlocks, architecture): every other one of those that fit, or all but."""
    random, devices = Random(seed), targets(ptxas)
    for index, arch in enumerate(devices):
        wanted = count // len(devices) + (index < count % len(devices))
        yield from compared(ptxas, arch, [_bounds(random, arch, it % 2 == 0) for it in range(wanted)])


def others(ptxas: Path, count: int, seed: int = 1) -> Iterator[Compared]:
    """`__maxnreg__`, exact block sizes, bounds and nothing, with and without `--maxrregcount`."""
    random, devices = Random(seed), targets(ptxas)
    for arch in devices:
        for option in (None, random.randint(1, 300)):
            heads = [_other(random, arch) for _ in range(max(count // len(devices) // 2, 1))]
            yield from compared(ptxas, arch, heads, Options(max_registers=option))


def _bounds(random: Random, arch: NvidiaArch, near: bool) -> Head:
    threads = random.randint(1, 1024)
    most = min(arch.max_groups, arch.max_sub_groups // -(-threads // arch.sub_group_size)) + 1 if near else 40
    return Head("__launch_bounds__", threads, random.randint(0, most))


def _other(random: Random, arch: NvidiaArch) -> Head:
    how = random.choice(["__maxnreg__", "__block_size__", "__launch_bounds__", ""])
    if how == "__launch_bounds__":
        return Head(how, random.randint(1, 3000), random.randint(0, 4))
    return Head(how, random.randint(1, 300 if how == "__maxnreg__" else 1024))


def compared(ptxas: Path, arch: NvidiaArch, heads: Sequence[Head], options: Options = NO_OPTIONS) -> Iterator[Compared]:
    source = "\n".join(f"__global__ void {head.cuda} k{index}(float* p) {{}}" for index, head in enumerate(heads))
    allowed = ceilings(arch, read(source, CUDA), CUDA, options)
    assert len(allowed) == len(heads)
    text = _OLDEST + "".join(_kernel(index, head, allowed[index]) for index, head in enumerate(heads))
    asked = [] if options.max_registers is None else [f"--maxrregcount={options.max_registers}"]
    command = [ptxas, "-v", "-c", "-arch", arch.id, *asked, "-", "-o", "/dev/null"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    used = {it.kernel: it.registers for it in reader.read(done.stderr.encode(), "").usages}
    ignored = {int(it) for it in _IGNORED.findall(done.stderr)}
    for index, head in enumerate(heads):
        said = " ".join((head.cuda, *asked))
        yield Compared(arch.id, said, allowed[index], used.get(f"k{index}"), _faults(arch, head, index in ignored))


def _faults(arch: NvidiaArch, head: Head, ignored: bool) -> tuple[str, ...]:
    """Whether minBlocks is heeded, where it is said."""
    if head.how != "__launch_bounds__" or not head.groups:
        return ()
    heeded = arch.min_groups_honoured(head.threads, head.groups)
    return () if heeded != ignored else (f"minBlocks {'heeded' if heeded else 'ignored'}, not so by ptxas",)


def _kernel(index: int, head: Head, allowed: int) -> str:
    live = range(allowed + MARGIN)
    lines = [
        f".visible .entry k{index}(.param .u64 p) {head.ptx}",
        f"{{ .reg .f32 %f<{len(live)}>; .reg .b64 %p; ld.param.u64 %p, [p];",
        *(f"ld.volatile.global.f32 %f{it}, [%p];" for it in live),
        *(f"st.volatile.global.f32 [%p], %f{it};" for it in reversed(live)),
        "ret; }\n",
    ]
    return "\n".join(lines)


def linked(ptxas: Path, head: Head, option: int | None, folder: Path) -> tuple[int, int | None]:
    """Our ceiling of a kernel that calls a function of another file, and what nvlink says that it may have; None: it
    links them. The function needs 200 registers."""
    arch = next(it for it in targets(ptxas) if it.id == "sm_90")
    (ceiling,) = ceilings(arch, read(f"__global__ void {head.cuda} k(float* p) {{}}", CUDA), CUDA, Options(option))
    live = range(200)
    function = [
        ".visible .func wide(.param .u64 p) {",
        f".reg .f32 %f<{len(live)}>; .reg .b64 %p; ld.param.u64 %p, [p];",
        *(f"ld.volatile.global.f32 %f{it}, [%p];" for it in live),
        *(f"st.volatile.global.f32 [%p], %f{it};" for it in reversed(live)),
        "ret; }",
    ]
    kernel = [
        ".extern .func wide(.param .u64 p);",
        f".visible .entry k(.param .u64 p) {head.ptx}",
        "{ .reg .b64 %p; ld.param.u64 %p, [p]; { .param .u64 a; st.param.u64 [a], %p; call wide, (a); } ret; }",
    ]
    asked = [] if option is None else [f"--maxrregcount={option}"]
    for name, lines, options in (("wide", function, []), ("k", kernel, asked)):
        (folder / f"{name}.ptx").write_text(_OLDEST + "\n".join(lines) + "\n")
        command = [ptxas, "-c", "-arch", arch.id, *options, f"{name}.ptx", "-o", f"{name}.cubin"]
        subprocess.run(command, cwd=folder, capture_output=True, check=True)
    command = [ptxas.with_name("nvlink"), "-arch", arch.id, "k.cubin", "wide.cubin", "-o", "linked.cubin"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    most = re.search(r"max regcount of (\d+)", done.stdout + done.stderr)
    assert (done.returncode == 0) == (most is None), done
    return ceiling, int(most[1]) if most else None
