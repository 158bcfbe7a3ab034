"""`python make.py MODULE FILE`, where `nvidia-cutlass-dsl` is: what block each kernel's PTX requires, without a GPU.

`MODULE` is `kernels` or `members`.
"""

import importlib
import inspect
import json
import os
import re
import sys
from pathlib import Path

os.environ["CUTE_DSL_ARCH"] = "sm_90a"

import cutlass
import cutlass.cute as cute
from cutlass.cute.runtime import make_fake_compact_tensor


def main(module, file):
    held = vars(importlib.import_module(module))
    functions = {name.removeprefix("run_"): it for name, it in held.items() if name.startswith("run_")}
    classes = {name: it for name, it in held.items() if inspect.isclass(it) and hasattr(it, "kernel")}
    called = functions | {f"{name}.kernel": it() for name, it in classes.items()}
    tensor = make_fake_compact_tensor(cutlass.Float32, (256,))
    made = {}
    for name, function in called.items():
        ptx = cute.compile(function, tensor, options="--keep-ptx").__ptx__
        made[name] = [int(it) for it in re.search(r"\.reqntid +(\d+), *(\d+), *(\d+)", ptx).groups()]
    file.write_text("{\n" + ",\n".join(f'  "{name}": {json.dumps(it)}' for name, it in made.items()) + "\n}\n")


main(sys.argv[1], Path(sys.argv[2]))
