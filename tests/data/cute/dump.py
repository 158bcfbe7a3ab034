"""`python dump.py FOLDER`, where `nvidia-cutlass-dsl` is: the cubins of `shapes/counted.py`, without a GPU.

`CUTE_DSL_ARCH` says for which architecture. One method is compiled as of a script, too.
"""

import runpy
import sys

import cutlass
import cutlass.cute as cute
from cutlass.cute.runtime import make_fake_compact_tensor
from shapes import counted

SCRIPT = runpy.run_path("shapes/counted.py", run_name="__main__")
MADE = (counted.run_scale, counted.run_scale_rows, counted.Scale(), counted.MyScale(), SCRIPT["Scale"]())

tensor = make_fake_compact_tensor(cutlass.Float32, (256,))
for it in MADE:
    cute.compile(it, tensor, options=f"--keep-cubin --dump-dir={sys.argv[1]}")
