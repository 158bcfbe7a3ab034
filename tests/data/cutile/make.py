"""`python make.py FOLDER`, where `cuda-tile`, `nvidia-cuda-tileiras` and `cuobjdump` are: what cuTile's compiler makes
of kernels, without a GPU.

Writes a cubin of each of `kernels.py` for each architecture, what `cuobjdump -res-usage` and the PTX in it say
(`truth.json`), and what other kernels get for each number of blocks that they ask for (`asked.json`).
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

os.environ["PATH"] = f"{sysconfig.get_paths()['purelib']}/nvidia/cu13/bin:{os.environ['PATH']}"

import cuda.tile as ct
import kernels
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel

ARCHS = ("sm_80", "sm_90", "sm_100", "sm_120")
ASKED = (None, 1, 2, 3, 4, 6, 8, 16, 32)
HINT = re.compile(rb"\.(reqntid|reqnctapercluster) (\d+)")


def array(of, axes):
    return ArrayConstraint(
        of, axes, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
        stride_constant=[None] * (axes - 1) + [1], stride_divisible_by=[16] * (axes - 1) + [1],
        shape_divisible_by=16, base_addr_divisible_by=16,
    )  # fmt: skip


VECTOR, HALVES, FLOATS = array(ct.float32, 1), array(ct.float16, 2), array(ct.float32, 2)
GIVEN = {
    "add": ([VECTOR] * 3 + [256], [VECTOR] * 3 + [4096]),
    **dict.fromkeys(("four", "two", "pair"), ([HALVES] * 3 + [128, 64],)),
    "softmax": ([FLOATS] * 2 + [4096],),
}
OTHERS = {
    "product of 128": (kernels.two, [HALVES] * 3 + [128, 64]),
    "product of 64": (kernels.two, [HALVES] * 3 + [64, 32]),
    "softmax of 4096": (kernels.softmax, [FLOATS] * 2 + [4096]),
    "softmax of 16384": (kernels.softmax, [FLOATS] * 2 + [16384]),
}


def compiled(kernel, signatures, arch, path):
    """Of each signature the symbol, and what it takes."""
    made = [KernelSignature(it, CallingConvention.cutile_python_v1()) for it in signatures]
    export_kernel(kernel, made, str(path), gpu_code=arch, output_format="cubin")
    told = subprocess.run(["cuobjdump", "-res-usage", path], capture_output=True, text=True, check=True)
    hints = {key.decode(): int(number) for key, number in HINT.findall(path.read_bytes())}
    for symbol, figures in re.findall(r"Function (\w+):\n *(.*)", told.stdout):
        said = {key: int(number) for key, number in re.findall(r"(\w+):(\d+)", figures)}
        yield {
            "symbol": symbol, "arch": arch, "threads": hints["reqntid"], "cluster": hints.get("reqnctapercluster"),
            "registers": said["REG"], "stack": said["STACK"], "shared": said["SHARED"],
        }  # fmt: skip


def main(folder):
    truth = [
        {"file": path.name, "kernel": name, **it}
        for arch in ARCHS
        for name, signatures in GIVEN.items()
        for path in [folder / f"{name}.{arch}.cubin"]
        for it in compiled(getattr(kernels, name), signatures, arch, path)
    ]
    (folder / "truth.json").write_text(json.dumps(truth, indent=1))
    asked = [
        {"kernel": name, "asked": number, **it}
        for name, (kernel, given) in OTHERS.items()
        for number in ASKED
        for arch in ARCHS
        for it in compiled(kernel.replace_hints(occupancy=number), [given], arch, folder / "other")
    ]
    (folder / "other").unlink()
    for it in asked:
        del it["symbol"]
    (folder / "asked.json").write_text("[\n" + ",\n".join(map(json.dumps, asked)) + "\n]\n")


main(Path(sys.argv[1]))
