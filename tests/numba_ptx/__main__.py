"""`python -m tests.numba_ptx` writes `expected.json`. It needs numba-cuda and NVIDIA's wheels of nvvm, nvcc, nvrtc and
nvjitlink, and nothing of the project.

Of each kernel the static shared memory and the barriers as `ptxas -v` says them of Numba's PTX, the shared memory in
the cubin that nvJitLink makes with link-time optimisation, and the bounds in the PTX. All for sm_90.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nvidia
from cuda.bindings import nvjitlink
from numba import cuda, float32, int32

_DATA = Path(__file__).parents[1] / "data" / "numba"
_CC = (9, 0)
_RESERVED = 1024  # bytes that CUDA takes of each block on sm_90
_PTXAS = next(it for root in nvidia.__path__ for it in Path(root).glob("cu*/bin/ptxas"))


def main() -> None:
    for module in list(sys.modules.values()):  # device functions are compiled for the device at hand: there is none
        if getattr(module, "__name__", "").startswith("numba") and hasattr(module, "get_current_device"):
            module.get_current_device = lambda: SimpleNamespace(compute_capability=_CC)  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location("kernels", _DATA / "kernels.py")
    assert spec is not None and spec.loader is not None
    kernels = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernels)
    found = {}
    for name, it in vars(kernels).items():
        if re.fullmatch(r"k\d+", name):
            try:
                found[name] = _compiled(it)
            except Exception as why:
                print(f"{name}: {str(why)[-300:]}")
    lines = ",\n".join(f'  "{name}": {json.dumps(it)}' for name, it in found.items())
    (_DATA / "expected.json").write_text(f"{{\n{lines}\n}}\n")


def _compiled(kernel: Any) -> dict[str, int | None]:
    signature = (float32[::1], float32[::1], int32)
    bounds = kernel.targetoptions.get("launch_bounds")
    ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=_CC, launch_bounds=bounds)
    code, _ = cuda.compile(
        kernel.py_func, signature, cc=_CC, device=False, abi="numba", output="ltoir", launch_bounds=bounds
    )
    said = _ptxas(ptx)
    return {
        "shared": _first(r"(\d+) bytes smem", said) or 0,
        "linked": _linked(code),
        "barriers": _first(r"used (\d+) barriers", said) or 0,
        "threads": _first(r"\.maxntid (\d+)", ptx),
        "blocks": _first(r"\.minnctapersm (\d+)", ptx),
    }


def _first(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text)
    return int(found[1]) if found else None


def _ptxas(ptx: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "k.ptx").write_text(ptx)
        command = [_PTXAS, "-v", "-arch", "sm_90", "k.ptx", "-o", "k.cubin"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stderr


def _linked(code: bytes) -> int:
    linker = nvjitlink.create(3, ["-arch=sm_90", "-lto", "-O3"])
    nvjitlink.add_data(linker, nvjitlink.InputType.LTOIR, code, len(code), "k")
    nvjitlink.complete(linker)
    cubin = bytearray(nvjitlink.get_linked_cubin_size(linker))
    nvjitlink.get_linked_cubin(linker, cubin)
    nvjitlink.destroy(linker)
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        shown = subprocess.run(["readelf", "-SW", file.name], capture_output=True, text=True, check=True).stdout
    section = re.search(r"\.nv\.shared\.(?!reserved)\S+\s+NOBITS\s+\w+\s+\w+\s+(\w+)", shown)
    return int(section[1], 16) - _RESERVED if section else 0


if __name__ == "__main__":
    main()
