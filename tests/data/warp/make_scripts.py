"""`python make_scripts.py FOLDER`, where warp-lang and `cuobjdump` are: Warp's cache of `scripts/`, each of which was
run, without a GPU, for blocks of 64 and 256 threads; and what `cuobjdump -res-usage` says of each (`truth.json`).
"""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

SCRIPTS = ("one", "two")


def main(folder):
    truth = []
    for script in SCRIPTS:
        before = {*folder.glob("*/wp_*/*.cubin")}
        subprocess.run([sys.executable, __file__, str(folder), script], check=True)
        made = {*folder.glob("*/wp_*/*.cubin")} - before
        truth += [it for path in sorted(made) for it in told(path, folder, script)]
    (folder / "truth.json").write_text("[\n" + ",\n".join(map(json.dumps, truth)) + "\n]\n")


def run(folder, script):
    import warp as wp

    wp.config.kernel_cache_dir = str(folder)
    wp.init()
    runpy.run_path(f"scripts/{script}.py", run_name="__main__")
    for size in (64, 256):
        wp.set_module_options({"block_dim": size}, sys.modules["__main__"])
        wp.compile_aot_module(sys.modules["__main__"], arch=[80, 86, 90], use_ptx=False)


def told(path, folder, script):
    size = re.search(r"WP_TILE_BLOCK_DIM (\d+)", next(path.parent.glob("*.cu")).read_text())[1]
    said = subprocess.run(["cuobjdump", "-res-usage", path], capture_output=True, text=True, check=True).stdout
    for symbol, figures in re.findall(r"Function (\w+_forward):\n *(.*)", said):
        counts = {key: int(number) for key, number in re.findall(r"(\w+):(\d+)", figures)}
        yield {
            "script": script, "file": str(path.relative_to(folder)), "symbol": symbol, "size": int(size),
            "registers": counts["REG"], "shared": counts["SHARED"],
        }  # fmt: skip


if len(sys.argv) > 2:
    run(Path(sys.argv[1]), sys.argv[2])
else:
    main(Path(sys.argv[1]))
