"""`python make.py FILE`, where `nvidia-cutlass-dsl` is: the block that each kernel's PTX requires, without a GPU."""

import json
import os
import re
import sys
from pathlib import Path

os.environ["CUTE_DSL_ARCH"] = "sm_90a"

import cutlass
import cutlass.cute as cute
import kernels
from cutlass.cute.runtime import make_fake_compact_tensor

FUNCTIONS = {name.removeprefix("run_"): it for name, it in vars(kernels).items() if name.startswith("run_")}
CLASSES = {f"{name}.kernel": getattr(kernels, name)() for name in ("Scale", "Shift")}


def main(file):
    tensor = make_fake_compact_tensor(cutlass.Float32, (256,))
    made = {}
    for name, function in {**FUNCTIONS, **CLASSES}.items():
        ptx = cute.compile(function, tensor, options="--keep-ptx").__ptx__
        made[name] = [int(it) for it in re.search(r"\.reqntid +(\d+), *(\d+), *(\d+)", ptx).groups()]
    file.write_text("{\n" + ",\n".join(f'  "{name}": {json.dumps(it)}' for name, it in made.items()) + "\n}\n")


main(Path(sys.argv[1]))
