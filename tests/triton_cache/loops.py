"""`python tests/triton_cache/loops.py`: compiles `tests/data/triton/loops.py` as each line of `loops.jsonl` says.

Needs a Python with Triton 3.9, and no GPU. It prints the lines whose shared memory is another."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "triton"
_RESULT, _SCALES = "*fp16", "*fp32"


def main() -> int:
    spec = importlib.util.spec_from_file_location("loops", FOLDER / "loops.py")
    assert spec is not None and spec.loader is not None
    kernels = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernels)
    rows = [json.loads(line) for line in (FOLDER / "loops.jsonl").read_text().splitlines()]
    others = [it for it in rows if _shared(getattr(kernels, it["kernel"]), it) != it["shared"]]
    print(*map(json.dumps, others), f"{len(others)} of {len(rows)} differ", sep="\n")
    return bool(others)


def _shared(kernel: Any, row: dict[str, Any]) -> int:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    left, right = row["types"]
    types = {"a": f"*{left}", "b": f"*{right}", "c": _RESULT, "bias": _SCALES}
    sizes, names = row["sizes"], kernel.arg_names
    signature = {it: "constexpr" if it in sizes else types.get(it, "i32") for it in names}
    aligned = (it for it in names if it not in sizes and (row["aligned"] or it in types))
    attributes = {(names.index(it),): [["tt.divisibility", 16]] for it in aligned}
    source = ASTSource(fn=kernel, signature=signature, constexprs=sizes, attrs=attributes)
    compiled = triton.compile(source, target=GPUTarget("cuda", row["target"], 32), options=row["options"])
    return int(compiled.metadata.shared)


if __name__ == "__main__":
    raise SystemExit(main())
