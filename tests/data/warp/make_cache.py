"""`python make_cache.py FOLDER`, where warp-lang and `cuobjdump` are: Warp's cache of `pkg/sim.py`, without a GPU, for
blocks of 64 and 256 threads; and what `cuobjdump -res-usage` says of each kernel in it (`truth.json`).
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import warp as wp


def main(folder):
    wp.config.kernel_cache_dir = str(folder)
    wp.init()
    from pkg import sim

    for size in (64, 256):
        wp.set_module_options({"block_dim": size}, sim)
        wp.compile_aot_module(sim, arch=[80, 90], use_ptx=False)
    truth = [it for path in sorted(folder.glob("*/wp_*/*.cubin")) for it in told(path, folder)]
    (folder / "truth.json").write_text("[\n" + ",\n".join(map(json.dumps, truth)) + "\n]\n")


def told(path, folder):
    said = subprocess.run(["cuobjdump", "-res-usage", path], capture_output=True, text=True, check=True).stdout
    for symbol, figures in re.findall(r"Function (\w+):\n *(.*)", said):
        counts = {key: int(number) for key, number in re.findall(r"(\w+):(\d+)", figures)}
        file = str(path.relative_to(folder))
        yield {"file": file, "symbol": symbol, "registers": counts["REG"], "shared": counts["SHARED"]}


main(Path(sys.argv[1]))
