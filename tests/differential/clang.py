"""Truth from clang for AMD: what it writes into a code object's metadata; of HIP, launches from a run as well."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from occupancy_lsp.compile.assembly import HEADERS
from occupancy_lsp.compile.toolchains import Toolchain
from tests.compilers import clang, for_hip

from .compiled import Missing, built, runtime, tool
from .truth import UNKNOWN, KernelTruth

TARGET = "gfx942"
_KERNEL = re.compile(r"^  - (.*?)(?=^  - |\Z)", re.S | re.M)


class Hip:
    suffix = ".hip"
    runs = True

    def compile(self, folder: Path) -> str:
        start = [*_clang().start, "-x", "hip", *for_hip(), "-std=c++20", "-w", "-fuse-cuid=none"]
        device = ["--cuda-device-only", f"--offload-arch={TARGET}", "-O1", "-S", "-o", "batch.s"]
        said = built([*start, *device, "batch.hip"], folder)
        built([*start, "--cuda-host-only", "-O0", "-c", "batch.hip", "-o", "batch.o"], folder)
        built([tool("g++"), "batch.o", str(runtime("runtime_hip")), "-o", "batch"], folder)
        return said

    def kernels(self, folder: Path, said: str) -> dict[str, KernelTruth]:
        return _kernels(folder, 1024)


class OpenCl:
    suffix = ".cl"
    runs = False

    def compile(self, folder: Path) -> str:
        start = [*_clang().start, "-x", "cl", "-cl-std=CL2.0", "-cl-no-stdinc", "-nogpulib", "-w"]
        target = ["-target", "amdgcn-amd-amdhsa", f"-mcpu={TARGET}", "-O1", "-S", "-o", "batch.s"]
        return built([*start, "-include", str(HEADERS / "opencl.h"), *target, "batch.cl"], folder)

    def kernels(self, folder: Path, said: str) -> dict[str, KernelTruth]:
        return _kernels(folder, 256)


@cache
def _clang() -> Toolchain:
    try:
        return clang()
    except StopIteration:
        raise Missing("clang is not found: install the development extra, or the package ziglang.") from None


def _kernels(folder: Path, default: int) -> dict[str, KernelTruth]:
    metadata = (folder / "batch.s").read_text().rpartition("amdhsa.kernels:")[2].partition("amdhsa.target:")[0]
    found = {}
    for it in _KERNEL.findall(metadata):
        size = _number("max_flat_workgroup_size", it)
        required = re.search(r"\.reqd_workgroup_size:\n((?: +- \d+\n)+)", it)
        name = re.search(r"\.name: +(\S+)", it)
        assert name is not None
        found[name[1].strip("'")] = KernelTruth(
            "",
            "",
            _number("group_segment_fixed_size", it),
            max_threads=size,
            min_blocks=UNKNOWN,
            max_registers=UNKNOWN,
            block_size=_product(required[1]) if required else None,
            max_cluster=UNKNOWN,
            default=size if required else default,
        )
    return found


def _number(key: str, of: str) -> int:
    found = re.search(rf"\.{key}: +(\d+)", of)
    assert found is not None, of
    return int(found[1])


def _product(of: str) -> int:
    product = 1
    for it in re.findall(r"\d+", of):
        product *= int(it)
    return product
