#!/usr/bin/env bash
# __launch_bounds__(256) and more live values than one block has registers for: how many it takes to fall to 32 registers depends on the chip.
#
# Guess: chips with 65,536 registers a multiprocessor are all alike to ptxas: what does not fit into 255 registers
#   falls to what a full multiprocessor leaves each thread, or stays at 255, everywhere.
# In fact: 260 values fall on sm_90 (32 registers, 5,960 bytes spilled) and stay at 255 on sm_100 and sm_120 (208 and
#   236 bytes); 300 fall on sm_100, too; 340 on sm_110 and sm_120, whose floor is 40. So a kernel that is fine on one
#   chip spills 28 times as much on an older one of the same register file.
# Version: nvcc and ptxas 13.0.88; 13.5.37 spills some bytes more or less.
# Date: 2026-11-30. Source: measured.
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
used() { nvcc -w -arch=$1 -Xptxas -v -cubin k.cu -o k.cubin 2>&1 | grep -oE '[0-9]+ bytes spill stores|Used [0-9]+' | grep -oE '[0-9]+' | tac | paste -sd' ' | awk '{print $1, int($2 / 1000)}'; }
chips() { live "$1" "__launch_bounds__(256)" >k.cu; for chip in sm_90 sm_100 sm_110 sm_120; do used $chip; done | paste -sd';'; }
holds "260 values: registers and KB spilled on sm_90, 100, 110, 120" "$(chips 260)" "32 5;255 0;255 0;255 0"
holds "300 values" "$(chips 300)" "32 7;32 7;255 1;255 1"
holds "340 values" "$(chips 340)" "32 8;32 8;40 7;40 7"
exit $status
