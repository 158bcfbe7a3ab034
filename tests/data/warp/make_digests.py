"""`python make_digests.py FILE`, where warp-lang is: the digests that Warp gives the kernels of `kernels.py`."""

import sys
from pathlib import Path

import kernels
import warp as wp

module = wp.get_module(kernels.__name__)
module.get_module_hash()
made = {name: it.hash.hex()[:8] for name, it in sorted(module.kernels.items()) if it.hash}
Path(sys.argv[1]).write_text("{\n" + ",\n".join(f'  "{name}": "{it}"' for name, it in made.items()) + "\n}\n")
