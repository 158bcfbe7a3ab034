"""What LLVM 16, 19 and 22 made of a few kernels for AMD, and what LLVM 22's readelf and objdump say of the binaries.

The sources are among the samples. `clang -x hip -nogpuinc -nogpulib -include minihip.h -O3 --cuda-device-only
--offload-arch=…` made most, with `-S`, `--no-gpu-bundle-output` or `-Rpass-analysis=kernel-resource-usage`.
"""

from __future__ import annotations

import re
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from occupancy_lsp.counts.formats import amd_assembly, amd_objects, amd_remarks
from occupancy_lsp.counts.usage import Reading, Usage

_DATA = Path(__file__).parents[1] / "data" / "resources" / "amd"
_READERS = {".remarks": amd_remarks, ".s": amd_assembly, ".hsaco": amd_objects, ".o": amd_objects}


@cache
def samples() -> dict[str, bytes]:
    """By name, such as `callee/gfx90a.llvm22.s`."""
    with tarfile.open(_DATA / "samples.tar.xz") as archive:
        files = [(member.name, archive.extractfile(member)) for member in archive.getmembers()]
        found = {name.removeprefix("./"): stream.read() for name, stream in files if stream is not None}
    for name in [name for name in found if name.startswith(("isa/remarks", "omniperf/remarks"))]:
        found |= dict(_apart(name, found.pop(name)))
    return found


def _apart(name: str, log: bytes) -> list[tuple[str, bytes]]:
    """Remarks for many architectures, each after a line `### gfx600`; Omniperf's are for gfx90a."""
    version = re.search(r"llvm\d+", name)
    assert version
    parts = re.split(r"^### (\S+)\n", log.decode(), flags=re.M)
    folder = name.partition("/")[0]
    if len(parts) == 1:
        return [(f"{folder}/occupancy-gfx90a-{version[0]}-directives-only.remarks", log)]
    pairs = [(arch, text) for arch, text in zip(parts[1::2], parts[2::2], strict=True) if "remark" in text]
    return [(f"{folder}/{arch}.{version[0]}.remarks", text.encode()) for arch, text in pairs]


def named(*suffixes: str) -> list[str]:
    return sorted(name for name in samples() if name.endswith(suffixes) and not name.startswith("hosts/"))


def llvm(name: str) -> int:
    match = re.search(r"llvm(\d+)", name)
    assert match, name
    return int(match[1])


@cache
def reading(name: str) -> Reading:
    return _READERS[Path(name).suffix].read(samples()[name], name)


def usages(name: str) -> dict[str, Usage]:
    return {usage.kernel: usage for usage in reading(name).usages}


def dumped(name: str) -> dict[str, dict[str, Any]]:
    """LLVM's own reading of a binary: each kernel's metadata, and the directives that its descriptor comes to."""
    text = samples()[f"dumps/{name}.txt"].decode()
    kernels = metadata(text.partition("---\n")[2].partition("\n...")[0])
    for kernel, block in re.findall(r"^\.amdhsa_kernel (\S+)\n(.*?)^\.end_amdhsa_kernel", text, re.M | re.S):
        kernels[kernel] |= {key: int(value) for key, value in re.findall(r"\.amdhsa_(\w+) (\d+)", block)}
    return kernels


def metadata(text: str) -> dict[str, dict[str, Any]]:
    """By kernel, by PyYAML."""
    return {kernel[".name"]: kernel for kernel in yaml.safe_load(text)["amdhsa.kernels"]}


def for_waves(name: str, kernel: str) -> tuple[int, int] | None:
    """Vector and scalar registers of which LLVM makes the occupancy, as it writes in assembly; None: formulas."""
    text = samples()[name].decode().partition(f".amdhsa_kernel {kernel}\n")[2]
    found = re.search(r"^; NumSGPRsForWavesPerEU: (.*)\n; NumVGPRsForWavesPerEU: (.*)$", text, re.M)
    assert found
    return (int(found[2]), int(found[1])) if found[1].isdigit() and found[2].isdigit() else None


def printed(name: str) -> dict[str, int]:
    """The occupancy that LLVM prints, by kernel, where it is a number."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", samples()[name].decode())
    starts, figure = (
        (r"\.amdhsa_kernel (\S+)", r"^; Occupancy: (\d+)$")
        if name.endswith(".s")
        else (r"Function Name: (\S+)", r"Occupancy \[waves/SIMD\]: (\d+) ")
    )
    found, kernel = {}, ""
    for match in re.finditer(f"{starts}|{figure}", text, re.M):
        kernel = match[1] or kernel
        if match[2]:
            found[kernel] = int(match[2])
    return found
