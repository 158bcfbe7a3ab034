"""A workspace whose compile commands want something of its own to run."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

# PLUGIN: a library that leaves a canary once it is loaded; SCRIPT: a program that does; CANARY: the canary.
# A source ends with an include that is missing, so that each costs no more than the preprocessor.
COMMANDS = [
    "nvcc -iquote 'x -fplugin=PLUGIN' -c",
    "nvcc -iquote 'x\t-fplugin=PLUGIN' -c",
    "nvcc -iquote 'x,-fplugin=PLUGIN' -c",
    "nvcc '-iquotex\n-fplugin=PLUGIN' -c",
    "nvcc -iquote=-fplugin=PLUGIN -c",
    "nvcc -I 'x\" -fplugin=PLUGIN \"' -c",
    "nvcc -I 'x,-fplugin=PLUGIN' -c",
    "nvcc '--include-path=x,-fplugin=PLUGIN' -c",
    "nvcc -isystem 'x\\' -isystem ' -fplugin=PLUGIN' -c",
    "nvcc -isystem '$(SCRIPT)' -I '`SCRIPT`' -c",
    "nvcc -I 'x\nSCRIPT\n' -c",
    "nvcc -include 'x.h\" -fplugin=PLUGIN \"' -c",
    "nvcc -include 'x.h,-fplugin=PLUGIN' -c",
    "nvcc --pre-include=@evil.rsp -c",
    "nvcc @evil.rsp -c",
    "nvcc --options-file evil.rsp,evil.rsp -c",
    "nvcc '-DX=1 -fplugin=PLUGIN' -c",
    "nvcc '-DX=\" -fplugin=PLUGIN \"' -c",
    "nvcc '-DX(a)=$(SCRIPT)' '-DY=`SCRIPT`' -c",
    "nvcc '-UX -fplugin=PLUGIN' -c",
    "nvcc '-std=c++17 -fplugin=PLUGIN' -c",
    "nvcc -std '-fplugin=PLUGIN' -c",
    "nvcc '-default-stream=legacy;SCRIPT' -c",
    "nvcc -Xcompiler -fplugin=PLUGIN -Xcompiler=-fplugin=PLUGIN --compiler-options -fplugin=PLUGIN -c",
    "nvcc -Xcompiler -wrapper,SCRIPT -Xptxas '-O1 -o SCRIPT' -c",
    "nvcc -fplugin=PLUGIN -specs=evil.specs -B. -wrapper SCRIPT -c",
    "nvcc -ccbin SCRIPT --compiler-bindir=. -prefer-gcc -c",
    "nvcc -gencode 'arch=compute_90,code=sm_90 -fplugin=PLUGIN' -arch '$(SCRIPT)' -c",
    "SCRIPT -c",
    "ccache SCRIPT -c",
    "nvcc --profile nvcc.profile --nvvm-path=. -ldir . -c",
    "clang++ -x hip -fplugin=PLUGIN -fpass-plugin=PLUGIN -c",
    "clang++ -x hip -Xclang -load -Xclang PLUGIN -mllvm -load=PLUGIN -c",
    "clang++ -x hip --config=evil.rsp --config evil.rsp @evil.rsp -c",
    "clang++ -x hip -I '@evil.rsp' -iquote '@evil.rsp' -include '@evil.rsp' -c",
    "clang++ -x hip -mllvm '-amdgpu-x=1 -load=PLUGIN' '-ffp-contract=fast -fplugin=PLUGIN' -c",
    "clang++ -x hip -ccc-gcc-name SCRIPT --gcc-toolchain=. -B. -fuse-ld=SCRIPT -c",
]


def write_workspace(folder: Path, canary: Path) -> list[Path]:
    """The sources, one for each of the commands; half of these are one text, as CMake writes them."""
    plugin, script = folder / "evil.so", folder / "evil.sh"
    code = f'#include <stdio.h>\n__attribute__((constructor)) void run(void) {{ fopen("{canary}", "w"); }}\n'
    subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", plugin], input=code.encode(), check=True)
    script.write_text(f'#!/bin/sh\ntouch "{canary}"\n')
    script.chmod(0o755)
    for name in ("gcc", "g++", "cc1plus", "cicc", "ptxas", "as", "ld", "clang", "bin/nvcc"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(script)
    (folder / "evil.rsp").write_text(f"-Xcompiler -fplugin={plugin} -fplugin={plugin} -iquote 'x -fplugin={plugin}'\n")
    (folder / "evil.specs").write_text(f"*cc1plus:\n+ -fplugin={plugin}\n")
    (folder / "nvcc.profile").write_text("PATH = .\nCICC_PATH = .\n")
    entries, sources = [], []
    for number, command in enumerate(COMMANDS):
        words = shlex.split(command.replace("PLUGIN", str(plugin)).replace("SCRIPT", str(script)))
        source = folder / f"k{number}.{'hip' if 'hip' in words else 'cu'}"
        source.write_text('__global__ void k(float* p) { *p = MISSING; }\n#include "missing.h"\n')
        words.append(source.name)
        said: dict[str, object] = {"command": shlex.join(words)} if number % 2 else {"arguments": words}
        entries.append({"directory": str(folder), "file": source.name, **said})
        sources.append(source)
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    # That all of this can work.
    for harmful in (["gcc", f"-fplugin={plugin}", "-E", "-x", "c", "/dev/null"], [str(script)]):
        subprocess.run(harmful, check=False, capture_output=True)
        canary.unlink()
    return sources
