"""`python -m tests.warp_ptx` writes `expected.json`. It needs warp-lang and NVIDIA's wheel of nvcc, and nothing of the
project.

Of each kernel, for blocks of several sizes, the static shared memory and the barriers as `ptxas -v` says them of Warp's
PTX, the bounds in the PTX, and the dynamic shared memory that Warp has each launch ask for. All for sm_90.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nvidia
import warp as wp

_DATA = Path(__file__).parents[1] / "data" / "warp"
_PTXAS = next(it for root in nvidia.__path__ for it in Path(root).glob("cu*/bin/ptxas"))
_SIZES = (64, 160, 256)  # the stacks of two queries fit in no block of more than 372
_FORWARD = "_cuda_kernel_forward"
_BACKWARD = "_cuda_kernel_backward"


def main() -> None:
    spec = importlib.util.spec_from_file_location("kernels", _DATA / "kernels.py")
    assert spec is not None and spec.loader is not None
    kernels = importlib.util.module_from_spec(spec)
    sys.modules["kernels"] = kernels
    spec.loader.exec_module(kernels)
    found: dict[str, dict[str, Any]] = {}
    for size in _SIZES:
        with tempfile.TemporaryDirectory() as folder:
            wp.config.kernel_cache_dir = folder
            wp.set_module_options({"block_dim": size}, kernels)
            wp.compile_aot_module(kernels, arch=[90], module_dir=folder, strip_hash=True, use_ptx=True)
            for name, it in _compiled(Path(folder)):
                found.setdefault(name, {"kernel": it.pop("kernel")})[str(size)] = it
    lines = ",\n".join(f'  "{name}": {json.dumps(it)}' for name, it in sorted(found.items()))
    (_DATA / "expected.json").write_text(f"{{\n{lines}\n}}\n")


def _compiled(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    asked = json.loads(next(folder.glob("*.meta")).read_text())
    ptx = next(folder.glob("*.ptx")).read_bytes().rstrip(b"\0").decode()  # it ends with a NUL
    (folder / "k.ptx").write_text(ptx)
    command = [_PTXAS, "-v", "-arch", "sm_90", "k.ptx", "-o", "k.cubin"]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stderr
    for part in said.split("Compiling entry function '")[1:]:
        entry = part.partition("'")[0]
        if not entry.endswith(_FORWARD):
            continue
        head = re.search(rf"\.entry {entry}\((.*?)\{{", ptx, re.DOTALL)
        assert head is not None
        stated = {
            "threads": _first(r"\.maxntid (\d+)", head[1]),
            "blocks": _first(r"\.minnctapersm (\d+)", head[1]),
            "registers": _first(r"\.maxnreg (\d+)", head[1]),
            "cluster": _first(r"\.reqnctapercluster (\d+)", head[1]),
        }
        yield (
            entry.removesuffix(_FORWARD),
            {
                "kernel": stated,
                "static": _first(r"(\d+) bytes smem", part) or 0,
                "barriers": _first(r"used (\d+) barriers", part) or 0,
                "dynamic": asked[f"{entry}_smem_bytes"],
                "backward": asked.get(f"{entry.removesuffix(_FORWARD)}{_BACKWARD}_smem_bytes"),
            },
        )


def _first(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text)
    return int(found[1]) if found else None


if __name__ == "__main__":
    main()
