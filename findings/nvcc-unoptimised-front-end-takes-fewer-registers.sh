#!/usr/bin/env bash
# nvcc -Xcicc -O0: 22 registers where the optimised kernel takes 96.
#
# Guess: code that was not optimised takes more registers than code that was.
# In fact: the kernel's tile of 8 x 8 sums stays an array in local memory (256 bytes of stack), which ptxas, at -O3
#   still, does not take apart. Registers fall to a quarter, occupancy looks full, and nothing is reported as a spill.
#   With -G it is 24.
# Version: nvcc and ptxas 13.0.88.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
cat >k.cu <<'END'
extern "C" __global__ void k(const float* a, const float* b, float* c, int n) {
  float sum[8][8] = {};
  for (int step = 0; step < n; ++step)
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) sum[i][j] += a[(threadIdx.x * 8 + i) * n + step] * b[step * n + threadIdx.y * 8 + j];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) c[(threadIdx.x * 8 + i) * n + threadIdx.y * 8 + j] = sum[i][j];
}
END
used() { nvcc -w -arch=sm_90 -Xptxas -v "$@" -cubin k.cu -o k.cubin >nvcc.log 2>&1; echo "$(grep -oE 'Used [0-9]+' nvcc.log | cut -d' ' -f2) registers, $(grep -oE '[0-9]+ bytes stack' nvcc.log | head -1), $(grep -oE '[0-9]+ bytes spill stores' nvcc.log | head -1)"; }
holds "optimised" "$(used)" "96 registers, 0 bytes stack, 0 bytes spill stores"
holds "-Xcicc -O0" "$(used -Xcicc -O0)" "22 registers, 256 bytes stack, 0 bytes spill stores"
holds "-G" "$(used -G)" "24 registers, 256 bytes stack, 0 bytes spill stores"
exit $status
