"""A workspace whose files hang on one another in all ways, and random changes of it."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

_SIZES = (32, 64, 96, 128, 256, 384, 512, 1024)
_NAMES = ("scale", "shift", "mix", "fold")
_HEADERS = {
    "include/sizes.h": """\
#pragma once
#define TILE {size}
#ifndef BLOCK
#define BLOCK {other}
#endif
constexpr int WIDTH = {some};
""",
    "include/deep/inner.cuh": """\
#pragma once
#include "sizes.h"
constexpr int kInner = {size};
""",
    "include/launch.h": """\
#pragma once
#define LAUNCH(kernel, ...) kernel<<<8, {some}>>>(__VA_ARGS__)
""",
    "include/kernels.cuh": """\
#pragma once
#include "deep/inner.cuh"
#include "maybe.h"
template <int N> __global__ void __launch_bounds__({some}) common(float *p) {{
  __shared__ float s[N]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[1];
}}
""",
}
_NEW_HEADERS = ("include/missing.h", "src/missing.h", "include/maybe.h", "sub/maybe.h")
_NEW_HEADER = """\
#define WIDTH {size}
#undef TILE
#define TILE {other}
"""
_SOURCE = """\
#include "sizes.h"
#include "{header}"
{note}
__global__ void {bounds} {name}(float *p) {{
  __shared__ float s[{some}]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[1];
}}
{rest}
"""
_HOST = """\
#include "sizes.h"
#include "launch.h"
__global__ void {name}(float *);
__global__ void {second}(float *);
void go(float *p) {{
  {name}<<<4, {some}, {dynamic}>>>(p);
  LAUNCH({second}, p);
  {rest}
}}
"""
_PROGRAM = """\
__kernel void blur(__global float *p) {{
  __local float t[N * {few}]; t[get_local_id(0)] = p[0]; barrier(1); p[1] = t[0];
}}
"""
_OPENCL_HOST = """\
#include <CL/cl.h>
void go(cl_program q, cl_command_queue c) {{
  clBuildProgram(q, 0, 0, "-DN={size}", 0, 0);
  cl_kernel k = clCreateKernel(q, "blur", 0);
  size_t l[] = {{ {other} }};
  clEnqueueNDRangeKernel(c, k, 1, 0, l, l, 0, 0, 0);
}}
"""
_TRITON = """\
import triton
import triton.language as tl
@triton.jit
def add(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), {few})
"""
_TRITON_HOST = """\
from kernels import add
def run(x):
    add[(1,)](x, {size}, num_warps={few})
"""
_MAKEFILE = """\
FLAGS = -DBLOCK={size} {limit}
%.o: %.cu
\tnvcc $(FLAGS) -I{folder} -c $<
"""
_CMAKE = """\
project(p CUDA)
add_library(p src/part1.cu src/part2.cu)
target_compile_options(p PRIVATE {limit})
"""
_SETTINGS = (
    "devices: [sm_80, sm_90]",
    "devices: [h100, mi300x]",
    "threshold: 70",
    "rules: {{OCC101: off}}",
    "macros: {{BLOCK: {size}}}",
    "launch: {{'scale*': {{block: {size}}}}}",
    "assume: {{block: {size}}}",
    "budgets: [{{kernel: '*0', min_occupancy: 60}}]",
    "contracts: {{'mix*': '>= 50%'}}",
)
_COUNTS = "kernels: {{{name}: {{registers: {registers}}}}}"


class Workspace:
    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(seed)
        for name in _HEADERS:
            self._header(name)
        for number in range(10):
            self._source(f"src/part{number}.cu")
        for number in range(4):
            self._write(f"host/run{number}.cu", _HOST)
        for number in range(2):
            self._source(f"sub/other{number}.cu")
        every = {
            "cl/blur.cl": _PROGRAM,
            "cl/host.cpp": _OPENCL_HOST,
            "py/kernels.py": _TRITON,
            "py/run.py": _TRITON_HOST,
        }
        for name, text in {**every, "Makefile": _MAKEFILE, "README.md": "Read me."}.items():
            self._write(name, text)

    def change(self) -> str:
        """Something; what it was."""
        pick = self.random.choice
        sources = sorted(it.relative_to(self.root).as_posix() for it in self.root.rglob("*.cu"))
        part, other = f"src/part{self.random.randint(0, 12)}.cu", f"sub/other{self.random.randint(0, 3)}.cu"
        settings = pick((".occupancy.yaml", "sub/.occupancy.yaml"))
        removable = *sources, *_NEW_HEADERS, "Makefile", "CMakeLists.txt", "compile_commands.json", settings
        changes: Sequence[Callable[[], str]] = (
            *(lambda: self._source(part),) * 6,
            lambda: self._source(other),
            *(lambda: self._write(f"host/run{self.random.randint(0, 5)}.cu", _HOST),) * 3,
            *(lambda: self._header(pick([*_HEADERS])),) * 6,
            lambda: self._write(pick(_NEW_HEADERS), _NEW_HEADER),
            lambda: self._write("cl/blur.cl", _PROGRAM),
            lambda: self._write("cl/host.cpp", _OPENCL_HOST),
            lambda: self._write("py/kernels.py", _TRITON),
            lambda: self._write("py/run.py", _TRITON_HOST),
            *(lambda: self._write(settings, "\n".join(self.random.sample(_SETTINGS, 2))),) * 2,
            lambda: self._write("Makefile", _MAKEFILE),
            lambda: self._write("CMakeLists.txt", _CMAKE),
            lambda: self._commands(sources),
            lambda: self._write(f"{pick(sources)}.occupancy.yaml", _COUNTS),
            *(lambda: self._counts_gone(),) * 3,
            lambda: self._write("README.md", "Read me {size} times."),
            lambda: self._write(f"notes{self.random.randint(0, 2)}.txt", "Notes."),
            lambda: self._touched(pick(sources)),
            *(lambda: self._gone(pick(removable)),) * 3,
            lambda: self._renamed(pick(sources), part),
            lambda: self._linked(pick([*_HEADERS])),
        )
        return pick(changes)()

    def _write(self, place: str, template: str, **words: object) -> str:
        path, pick = self.root / place, self.random.choice
        path.parent.mkdir(parents=True, exist_ok=True)
        given = {
            "size": pick(_SIZES),
            "other": pick(_SIZES),
            "some": pick((str(pick(_SIZES)), "BLOCK", "TILE", "WIDTH", "kInner", "TILE * 2")),
            "few": pick((1, 2, 4, 8)),
            "name": f"{pick(_NAMES)}{pick((0, 1, 2))}",
            "second": f"{pick(_NAMES)}{pick((0, 1, 2))}",
            "dynamic": pick((0, 4096, 65536)),
            "registers": pick((16, 48, 128)),
            "limit": pick(("", "-maxrregcount=32")),
            "folder": pick(("include", "include/deep")),
        }
        rest = pick(("", f"LAUNCH({given['name']}, p);"))
        path.write_text(template.format(**{**given, "rest": rest, **words}))
        return f"write {place}"

    def _header(self, name: str) -> str:
        return self._write(name, _HEADERS[name])

    def _source(self, place: str) -> str:
        pick, number = self.random.choice, int("".join(filter(str.isdecimal, place)))
        name = f"{_NAMES[number % len(_NAMES)]}{number // len(_NAMES)}"
        header = pick(("kernels.cuh", "deep/inner.cuh", "missing.h", "linked.h"))
        launch = f"void run{number}(float *p) {{ {name}<<<1, {pick(('BLOCK', 'kInner', 256))}>>>(p); }}"
        uses = f"void more{number}(float *p) {{ common<{pick(_SIZES)}><<<1, 64>>>(p); }}"
        bounds, note = (
            pick(("", f"__launch_bounds__({pick(('BLOCK', 128))})")),
            f"// occupancy: regs={pick((24, 90, 200))}",
        )
        rest = pick((launch, "")) + (f"\n{uses}" if header == "kernels.cuh" else "")
        return self._write(place, _SOURCE, name=name, header=header, bounds=bounds, note=pick((note, "")), rest=rest)

    def _commands(self, sources: Sequence[str]) -> str:
        command = f"nvcc -DBLOCK={self.random.choice(_SIZES)} -Iinclude -c"
        some = self.random.sample(sources, min(3, len(sources)))
        entries = [{"directory": str(self.root), "file": it, "command": f"{command} {it}"} for it in some]
        (self.root / "compile_commands.json").write_text(json.dumps(entries))
        return "write compile_commands.json"

    def _counts_gone(self) -> str:
        for it in self.root.rglob("*.cu.occupancy.yaml"):
            it.unlink()
        return "delete all counts"

    def _touched(self, name: str) -> str:
        os.utime(self.root / name)
        return f"touch {name}"

    def _gone(self, name: str) -> str:
        (self.root / name).unlink(missing_ok=True)
        return f"delete {name}"

    def _renamed(self, name: str, other: str) -> str:
        os.replace(self.root / name, self.root / other)
        return f"rename {name} to {other}"

    def _linked(self, name: str) -> str:
        path = self.root / "include/linked.h"
        path.unlink(missing_ok=True)
        path.symlink_to(self.root / name)
        return f"link linked.h to {name}"
