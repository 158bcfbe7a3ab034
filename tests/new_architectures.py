"""`python -m tests.new_architectures`: architectures that the newest compilers know, and what presets lack of them.

Asks the wheels that are installed: nvidia-cuda-nvcc, ziglang and triton. Prints a line for each architecture without a
preset, and for each limit that a preset states otherwise. Run it by hand before a release.
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

from occupancy_lsp.devices.catalogue import UnknownDevice
from occupancy_lsp.model.architecture import Architecture
from tests.presets import CATALOGUE

PACKAGES = Path(sysconfig.get_paths()["purelib"])
_KERNEL = """\
.version {version}
.target {arch}
.address_size 64
.visible .entry k() .maxntid {threads},1,1 .minnctapersm {blocks} {{ ret; }}
"""
_LOCAL = "kernel void k(global char *o) { local volatile char t[1 << 22]; t[o[0]] = 1; o[0] = t[o[1]]; }\n"


def _known(name: str) -> Architecture | None:
    try:
        return CATALOGUE.architecture(name)
    except UnknownDevice:
        return None


def _said(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def nvidia() -> Iterator[str]:
    """ptxas ignores a `.minnctapersm` that asks for more blocks, or more threads, than an SM holds."""
    for ptxas in sorted(PACKAGES.glob("nvidia/**/bin/ptxas")):
        release = re.search(r"release ([\d.]+)", _said([str(ptxas), "--version"]))
        names = sorted(set(re.findall(r"'(sm_\d+)'", _said([str(ptxas), "--help"]))), key=lambda it: int(it[3:]))
        yield f"ptxas {release[1] if release else '?'}: {len(names)} architectures"
        for name in names:
            arch = _known(name)
            if arch is None:
                yield f"  {name}: no preset"
                continue
            threads = arch.max_sub_groups * arch.sub_group_size
            blocks = _most(ptxas, name, 32, range(1, 129))
            both = _most(ptxas, name, 256, range(1, 33)) * 256
            if (blocks, both) != (arch.max_groups, threads):
                yield f"  {name}: {blocks} blocks, {both} threads per SM; the preset has {arch.max_groups}, {threads}"


def _most(ptxas: Path, name: str, threads: int, counts: range) -> int:
    """The largest of the counts of blocks that is not ignored."""
    low, high = 0, len(counts)
    while low < high:
        middle = (low + high) // 2
        if "ignored" in _compiled(ptxas, name, threads, counts[middle]):
            high = middle
        else:
            low = middle + 1
    return counts[low - 1]


def _compiled(ptxas: Path, name: str, threads: int, blocks: int) -> str:
    version = "9.4" if name == "sm_107" else "9.0"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "k.ptx")
        source.write_text(_KERNEL.format(version=version, arch=name, threads=threads, blocks=blocks))
        return _said([str(ptxas), f"-arch={name}", str(source), "-o", str(Path(folder, "k.cubin"))])


def amd() -> Iterator[str]:
    """clang refuses more LDS than a work-group may have, and says how much that is."""
    clang = [sys.executable, "-m", "ziglang", "clang", "--target=amdgcn-amd-amdhsa"]
    version = re.search(r"clang version (\S+)", _said([*clang, "--version"]))
    names = sorted(set(re.findall(r"\bgfx[0-9a-f]{3,4}\b", _said([*clang, "--print-supported-cpus"]))))
    yield f"clang {version[1] if version else '?'}: {len(names)} architectures"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "k.cl")
        source.write_text(_LOCAL)
        for name in names:
            arch = _known(name)
            options = [
                "-x",
                "cl",
                "-nogpulib",
                "-cl-no-stdinc",
                f"-mcpu={name}",
                "-O1",
                "-S",
                "-o",
                str(Path(folder, "k.s")),
            ]
            limit = re.search(r"exceeds limit \((\d+)\)", _said([*clang, *options, str(source)]))
            if arch is None:
                yield f"  {name}: no preset; {limit[1] if limit else '?'} bytes of LDS per work-group"
            elif limit and int(limit[1]) != arch.local_per_group:
                yield f"  {name}: {limit[1]} bytes of LDS per work-group; the preset has {arch.local_per_group}"


def triton() -> Iterator[str]:
    """Names only: those in Triton's library, which has a newer LLVM than clang's wheel."""
    for library in PACKAGES.glob("triton/_C/libtriton*.so"):
        names = sorted({it.decode() for it in re.findall(rb"\0(gfx[1-9][0-9a-f]{2,3})(?=\0)", library.read_bytes())})
        yield f"triton: {len(names)} names of AMD's"
        yield from (f"  {name}: no preset" for name in names if _known(name) is None)


if __name__ == "__main__":
    for ask in (nvidia, amd, triton):
        for line in ask():
            print(line, flush=True)
