"""`python make.py FILE`, where `tilelang` and `torch` are: what it makes of `kernels.py`, without a GPU."""

import json
import sys

import kernels
import tilelang
from tilelang import tvm

TARGETS = {
    "sm_80": {"kind": "cuda", "arch": "sm_80"},
    "sm_90": {"kind": "cuda", "arch": "sm_90a"},
    "sm_100": {"kind": "cuda", "arch": "sm_100a"},
    "gfx942": {"kind": "hip", "mcpu": "gfx942"},
}


def compiled(function, target):
    """Threads and dynamic shared memory of each kernel of a function."""
    with tvm.target.Target(target):
        made = tilelang.lower(function, target=target, enable_host_codegen=False, enable_device_compile=False)
    for kernel in made.device_mod.functions.values():
        threads = 1
        for name, extent in kernel.attrs["thread_extent"].items():
            threads *= int(extent) if str(name).startswith("threadIdx") else 1
        shared = kernel.attrs.get("dyn_shared_memory_buf")
        yield [threads, int(shared) if shared is not None else 0]


with open(sys.argv[1], "w") as file:
    for name, function in vars(kernels).items():
        if not isinstance(function, tvm.tirx.PrimFunc):
            continue
        for target, how in TARGETS.items():
            try:
                row = {"kernels": [*compiled(function, how)]}
            except Exception as error:
                row = {"refused": type(error).__name__}
            print(json.dumps({"name": name, "target": target, **row}), file=file, flush=True)
