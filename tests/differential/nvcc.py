"""Truth from nvcc: bounds from its PTX, bytes and barriers from ptxas, launches from a run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.compilers import nvcc

from .compiled import Missing, built, runtime, tool
from .truth import KernelTruth

_TARGET = "sm_90"
_USED = re.compile(r"Compiling entry function '(\w+)'.*?Used (\d+) registers(?:, used (\d+) barriers)?([^\n]*)", re.S)
_ENTRY = re.compile(r"\.entry (\w+)\(.*?\)\s*(.*?)\{", re.S)


class Nvcc:
    suffix = ".cu"
    runs = True

    def compile(self, folder: Path) -> str:
        options = ["-std=c++20", f"-arch={_TARGET}", "--expt-relaxed-constexpr", "-w", "-Xptxas", "-v"]
        keep = ["-keep", "-keep-dir", str(folder)]
        linker = tool("g++")
        said = built([*_start(), *options, *keep, "-c", "batch.cu", "-o", "batch.o"], folder)
        built([linker, "batch.o", str(runtime("runtime_cuda")), "-o", "batch"], folder)
        return said

    def device_code(self, source: Path, options: Sequence[str], root: Path, folder: Path) -> dict[str, KernelTruth]:
        """Return what of a file is compiled for the device, by the mangled name. `root`: where nvcc is started.
        `folder`: an empty one. Raises Missing and NotCompiled."""
        keep = ["-keep", "-keep-dir", str(folder), "-cubin", "-o", str(folder / "kernels.cubin")]
        target = [f"-arch={_TARGET}", "--expt-relaxed-constexpr", "-w", "-Xptxas", "-v"]
        return self.kernels(folder, built([*_start(), *target, *keep, *options, str(source)], root))

    def kernels(self, folder: Path, said: str) -> dict[str, KernelTruth]:
        ptx = next(folder.glob("*.ptx")).read_text()
        used = {it[1]: it for it in _USED.finditer(said)}
        return {it[1]: _kernel(it[2], used[it[1]]) for it in _ENTRY.finditer(ptx)}


@cache
def _start() -> tuple[str, ...]:
    try:
        return nvcc()
    except StopIteration:
        raise Missing("nvcc is not found: install CUDA 13 or the package nvidia-cuda-nvcc.") from None


def _kernel(bounds: str, used: re.Match[str]) -> KernelTruth:
    smem = re.search(r"(\d+) bytes smem", used[4])
    return KernelTruth(
        "",
        "",
        int(smem[1]) if smem else 0,
        int(used[3] or 0),
        int(used[2]),
        _directive("maxntid", bounds),
        _directive("minnctapersm", bounds),
        _directive("maxnreg", bounds),
        _directive("reqntid", bounds),
        _directive("maxclusterrank", bounds),
    )


def _directive(name: str, of: str) -> int | None:
    found = re.search(rf"\.{name} ([\d, ]+)", of)
    if not found:
        return None
    product = 1
    for it in found[1].split(","):
        product *= int(it)
    return product
