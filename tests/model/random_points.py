"""`python -m tests.model.random_points HEADERS [POINTS]`: random points of the model against a `cuda_occupancy.h`.

`HEADERS`: a toolkit's folder of headers. `POINTS` (22,000) of each NVIDIA architecture from 3.0 on, with every limit;
it prints those that differ. Needs g++. Run it by hand when a toolkit has a new header.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from tests.model.support import archs

_ASK = r"""
#include <cstdio>
#include "cuda_occupancy.h"
int main() {
  cudaOccDeviceProp p = {};
  cudaOccFuncAttributes f = {};
  cudaOccDeviceState s = {};
  int threads, optin;
  long dynamic;
  p.numSms = 1, p.warpSize = 32;
  while (scanf("%d %d %d %d %d %d %zu %zu %zu %zu %d %d %zu %ld %d %d %d", &p.computeMajor, &p.computeMinor,
               &p.maxThreadsPerBlock, &p.maxThreadsPerMultiprocessor, &p.regsPerBlock, &p.regsPerMultiprocessor,
               &p.sharedMemPerBlock, &p.sharedMemPerBlockOptin, &p.sharedMemPerMultiprocessor,
               &p.reservedSharedMemPerBlock, &threads, &f.numRegs, &f.sharedSizeBytes, &dynamic, &optin,
               &s.carveoutConfig, &f.numBlockBarriers) == 17) {
    f.maxThreadsPerBlock = p.maxThreadsPerBlock;
    f.maxDynamicSharedSizeBytes = dynamic;
    f.shmemLimitConfig = optin ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
    cudaOccResult r = {};
    int failed = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &f, &s, threads, dynamic);
    printf("%d %d %d %d %d %d %d\n", failed, r.activeBlocksPerMultiprocessor, r.blockLimitWarps, r.blockLimitBlocks,
           r.blockLimitRegs, r.blockLimitSharedMem, r.blockLimitBarriers);
  }
}
"""
_NO_LIMIT = 2**31 - 1


def _needs(arch: NvidiaArch, count: int) -> Iterator[Need]:
    for _ in range(count):
        opt_in = random.random() < 0.7
        room = arch.local_per_group_opt_in if opt_in else arch.local_per_group
        static = random.choice([0, random.randint(0, arch.local_per_group)])
        yield Need(
            random.choice([32 * random.randint(1, arch.max_group_size // 32), random.randint(1, 1100)]),
            random.randint(1, min(arch.max_registers, 255)),
            static,
            random.choice([0, random.randint(0, max(room - static, 0)), random.randint(0, room + 2048)]),
            opt_in,
            random.choice([None, random.randint(0, 100)]),
            random.choice([0, random.randint(1, 16)]),
        )


def _line(arch: NvidiaArch, need: Need) -> str:
    return (
        f"{arch.compute_capability.replace('.', ' ')} {arch.max_group_size} {arch.max_sub_groups * 32}"
        f" {arch.registers_per_group} {arch.registers_per_unit} {arch.local_per_group} {arch.local_per_group_opt_in}"
        f" {arch.local_per_unit} {arch.local_reserved} {need.group_size} {need.registers} {need.static_local}"
        f" {need.dynamic_local} {need.opt_in:d} {-1 if need.carveout is None else need.carveout} {need.barriers}"
    )


def _ours(arch: NvidiaArch, need: Need) -> list[int]:
    found = arch.occupancy(need)
    limits = found.limits
    each = (limits.sub_groups, limits.groups, limits.registers, limits.local_memory, limits.barriers)
    return [0, found.groups, *(_NO_LIMIT if it is None else it for it in each)]


def main(headers: str, count: int = 22_000) -> int:
    random.seed(1)
    points = [(arch, need) for arch in archs().values() if arch.generation >= 3 for need in _needs(arch, count)]
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "ask.cc"), Path(folder, "ask")
        source.write_text(_ASK)
        subprocess.run(["g++", "-O1", f"-I{headers}", str(source), "-o", str(program)], check=True)
        asked = "\n".join(_line(*it) for it in points)
        answers = subprocess.run([program], input=asked, capture_output=True, text=True, check=True).stdout
    theirs = [list(map(int, line.split())) for line in answers.splitlines()]
    differ = [it for it, said in zip(points, theirs, strict=True) if _ours(*it) != said]
    for arch, need in differ[:20]:
        print(arch.id, need)
    print(f"{len(points)} points of {len({arch.id for arch, _ in points})} architectures, {len(differ)} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:3])))
