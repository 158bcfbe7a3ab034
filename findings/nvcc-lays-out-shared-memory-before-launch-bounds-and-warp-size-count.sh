#!/usr/bin/env bash
# Code that launch bounds or the size of a warp rule out takes its shared memory all the same.
#
# Guess: NVVM narrows threadIdx by __launch_bounds__ (by 1,024 where there are none) and takes warpSize for 32, so an
#   array that is used under `threadIdx.x >= 256` or `warpSize == 64` alone vanishes, as under `__popc(x) > 32`.
# In fact: only what the values of an instruction rule out vanishes before shared memory is laid out. Bounds rule out
#   nothing. That warpSize is 32 ptxas knows: the code goes, with its barrier, and the array stays.
# Version: nvcc and ptxas 13.0.88.
# Date: 2026-12-01. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
cat >k.cu <<'END'
extern "C" __global__ void BOUNDS k(float* p, int x, unsigned n) {
  __shared__ float a[64];
  if (CONDITION) { a[n & 63] = p[1]; __syncthreads(); p[2] = a[(n + x) & 63]; }
}
END
# Barriers and bytes of static shared memory, as ptxas tells them.
takes() {
  nvcc -w -arch=sm_90 -cubin -Xptxas -v "-DBOUNDS=$1" "-DCONDITION=$2" k.cu -o k.cubin 2>&1 |
    awk '/Used/ {bytes = 0; for (i = 1; i < NF; i++) {if ($(i + 1) ~ /^barriers/) bars = $i; if ($(i + 2) ~ /^smem/) bytes = $i}; print bars, bytes}'
}
holds "a condition that may hold" "$(takes "" "x > 5")" "1 256"
holds "beyond the launch bounds" "$(takes "__launch_bounds__(256)" "threadIdx.x >= 256")" "1 256"
holds "beyond every block" "$(takes "" "threadIdx.x >= 1024")" "1 256"
holds "a warp of 64" "$(takes "" "warpSize == 64")" "0 256"
holds "33 bits of 32" "$(takes "" "__popc(x) > 32")" "0 0"
holds "33 leading zeros" "$(takes "" "__clz(x) > 32")" "0 0"
holds "a bit behind the last" "$(takes "" "__ffs(x) > 32")" "1 256"
exit $status
