"""`python make.py FILE`, where `triton` is: what it makes of each launch in `kernels.py`, without a GPU."""

import ast
import json
import sys
from pathlib import Path

import kernels
import triton
from triton.backends.compiler import GPUTarget
from triton.experimental.gluon._runtime import GluonASTSource

TARGETS = {"sm_80": ("cuda", 80, 32), "sm_90": ("cuda", 90, 32), "sm_100": ("cuda", 100, 32)}


def launches():
    """Line, kernel, and the numbers that it is given."""
    for node in ast.walk(ast.parse(Path(kernels.__file__).read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript):
            kernel = getattr(kernels, node.func.value.id)
            given = dict(zip(kernel.arg_names, (getattr(it, "value", None) for it in node.args), strict=False))
            given |= {it.arg: it.value.value for it in node.keywords}
            yield node.lineno, kernel, {name: it for name, it in given.items() if it is not None}


with open(sys.argv[1], "w") as file:
    for line, kernel, given in sorted(launches(), key=lambda it: it[0]):
        names = kernel.arg_names
        kind = "*fp16" if kernel.__name__ == "plane" else "*fp32"
        signature = {name: "constexpr" if name in given else kind for name in names}
        constants = {(names.index(name),): it for name, it in given.items() if name in names}
        options = {name: it for name, it in given.items() if name not in names}
        for target, how in TARGETS.items():
            if "warp_specialize" in kernel.src and target == "sm_80":
                continue  # the compiler aborts
            try:
                source = GluonASTSource(kernel, signature, constants)
                made = triton.compile(source, target=GPUTarget(*how), options=options)
                row = {"threads": made.metadata.num_warps * 32, "shared": made.metadata.shared}
            except Exception as error:
                row = {"refused": type(error).__name__}
            print(json.dumps({"line": line, "kernel": kernel.__name__, "target": target, **row}), file=file, flush=True)
