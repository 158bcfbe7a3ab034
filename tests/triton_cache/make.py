"""Compiles kernels with Triton, which needs no GPU, and notes what others read of each compilation.

Writes below a folder `kernels.py`, `cache` as Triton leaves it, and `truth.jsonl`: the options, what NVIDIA's
`cuobjdump -res-usage` and `nvdisasm`, or LLVM's text say, and the line where Python's own parser finds the kernel.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from .compilations import WANTED, Options, Wanted

KERNELS = Path(__file__).parents[1] / "data" / "triton" / "kernels.py"
_LOW = re.compile(r"\.(?:amdhsa_)?(\w+):?\s+(\d+)$", re.MULTILINE)
_COUNTED = ("vgpr_count", "agpr_count", "sgpr_count", "vgpr_spill_count", "private_segment_fixed_size",
            "next_free_vgpr", "group_segment_fixed_size", "max_flat_workgroup_size", "wavefront_size")  # fmt: skip


def make(folder: Path, most: int | None = None, only: str = "") -> int:
    """The exit status. Compilations that Triton refuses are noted with its reason."""
    if importlib.util.find_spec("triton") is None:
        print("Triton is not installed: run this with the Python of a virtual environment that has it", file=sys.stderr)
        return 2
    cache = folder / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    os.environ["TRITON_CACHE_DIR"] = str(cache)
    source = folder / "kernels.py"
    if not source.exists() or source.read_bytes() != KERNELS.read_bytes():
        shutil.copy(KERNELS, source)
    kernels = _imported(source)
    lines = _lines(source)
    wanted = [it for each in WANTED for it in each.compilations() if only in each.kernel][:most]
    with (folder / "truth.jsonl").open("w", encoding="utf-8") as out:
        for number, (what, target, options) in enumerate(wanted, 1):
            said = {
                "kernel": what.kernel.split(".")[-1], "target": target, "options": dict(options),
                "sizes": dict(what.sizes), "line": lines[what.kernel],
            }  # fmt: skip
            start = time.monotonic()
            try:
                said |= _compiled(kernels, what, target, options, cache)
            except Exception as error:
                said["error"] = f"{type(error).__name__}: {error}"[:300]
            print(json.dumps(said), file=out, flush=True)
            print(f"{number}/{len(wanted)} {what.kernel[:40]} {target} {time.monotonic() - start:.1f} s", flush=True)
    return 0


def _imported(source: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("kernels", source)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernels"] = module
    spec.loader.exec_module(module)
    return module


def _lines(source: Path) -> Mapping[str, int]:
    """Of each function, by its qualified name, the line of `def`."""
    lines: dict[str, int] = {}
    for node in ast.parse(source.read_bytes()).body:
        if isinstance(node, ast.ClassDef):
            lines |= {f"{node.name}.{it.name}": it.lineno for it in node.body if isinstance(it, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            lines[node.name] = node.lineno
    return lines


def _compiled(kernels: ModuleType, what: Wanted, target: int | str, options: Options, cache: Path) -> dict[str, Any]:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    found: Any = kernels
    for part in what.kernel.split("."):
        found = getattr(found, part)
    while not hasattr(found, "arg_names") or hasattr(found, "configs") or hasattr(found, "values"):
        found = found.fn  # autotune and heuristics stand around it
    types = iter(what.arguments)
    signature = {name: "constexpr" if name in what.sizes else next(types) for name in found.arg_names}
    aligned = [index for index, kind in enumerate(signature.values()) if kind.startswith("*") or kind == "i32"]
    source = ASTSource(
        fn=found, signature=signature, constexprs=dict(what.sizes),
        attrs={(index,): [["tt.divisibility", 16]] for index in aligned},
    )  # fmt: skip
    of = GPUTarget("cuda", target, 32) if isinstance(target, int) else GPUTarget("hip", target, _wave(target))
    made = triton.compile(source, target=of, options=dict(options))
    binary = next(path for path in _files(made, cache) if path.suffix in (".cubin", ".hsaco"))
    counted = _nvidia(made, binary) if isinstance(target, int) else _amd(made)
    return {"folder": binary.parent.name, "file": binary.stem, **counted}


def _wave(target: str) -> int:
    return 64 if target.startswith("gfx9") else 32


def _files(made: Any, cache: Path) -> list[Path]:
    """Those of the compilation: its folder is named by the hash, in Triton's own letters."""
    from triton.runtime.cache import get_cache_manager

    return [Path(it) for it in get_cache_manager(made.hash).get_group(f"{made.src.name[:150]}.json").values()]


def _nvidia(made: Any, binary: Path) -> dict[str, Any]:
    import triton

    tools = Path(triton.__file__).parent / "backends" / "nvidia" / "bin"
    printed = subprocess.run([tools / "cuobjdump", "-res-usage", binary], capture_output=True, text=True, check=True)
    counts = {name.lower(): int(count) for name, count in re.findall(r"(REG|STACK|SHARED):(\d+)", printed.stdout)}
    code = subprocess.run([tools / "nvdisasm", binary], capture_output=True, text=True).stdout  # not of sm_107
    register = re.search(r"^\s*\.sectioninfo\s+@\"SHI_REGISTERS=(\d+)\"", code, re.MULTILINE)
    threads = re.search(r"^\.reqntid (\d+)", made.asm["ptx"], re.MULTILINE)
    specialised = re.search(r'"ttg\.total-num-warps" = (\d+)', made.asm["ttgir"])
    return {
        "registers": counts["reg"], "stack": counts["stack"], "static": counts["shared"],
        "disassembled": int(register[1]) if register else None,
        "threads": int(threads[1]) if threads else None, "total_warps": int(specialised[1]) if specialised else None,
        "shared": made.metadata.shared, "tensor": made.metadata.tmem_size, "code": "setmaxnreg" in made.asm["ptx"],
    }  # fmt: skip


def _amd(made: Any) -> dict[str, Any]:
    said = {name: int(value) for name, value in _LOW.findall(made.asm["amdgcn"]) if name in _COUNTED}
    return {**said, "threads": said["max_flat_workgroup_size"], "shared": made.metadata.shared}
