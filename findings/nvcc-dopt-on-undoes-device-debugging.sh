#!/usr/bin/env bash
# nvcc -G -dopt on: the registers of an optimised build, not those of a debug build.
#
# Guess: -G turns optimisation off for device code, so a kernel built with it has a debug build's counts.
# In fact: -dopt on turns it on again while line information stays: 56 registers, as without -G, where -G alone takes
#   112. So -G in a command does not tell that its counts are useless.
# Version: nvcc and ptxas 13.0.88.
# Date: 2026-11-30. Source: measured; nvcc --help has --dopt.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
# A kernel that keeps N values alive around a loop.
live() {
  python3 - "$1" "$2" <<'END'
import sys
count, bounds = int(sys.argv[1]), sys.argv[2]
each = range(count)
print(f'extern "C" __global__ void {bounds} k(const float* in, float* out, int step, int rounds) {{ int t = threadIdx.x;')
print(*(f"  float v{i} = in[t + {i} * step];" for i in each), "#pragma unroll 1", sep="\n")
print("  for (int r = 0; r < rounds; ++r) {\n    float x = in[r];")
print(*(f"    v{i} = fmaf(v{i}, x, v{(i + 1) % count});" for i in each), "  }", sep="\n")
print(*(f"  out[t + {i} * step] = v{i};" for i in each), "}", sep="\n")
END
}
live 40 "" >k.cu
registers() { nvcc -w -arch=sm_90 -Xptxas -v "$@" -cubin k.cu -o k.cubin 2>&1 | grep -oE 'Used [0-9]+' | cut -d' ' -f2; }
holds "optimised" "$(registers)" "56"
holds "-G" "$(registers -G)" "112"
holds "-G -dopt on" "$(registers -G -dopt on)" "56"
exit $status
