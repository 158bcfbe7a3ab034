#!/usr/bin/env bash
# A call through a function pointer: whole-program ptxas charges it for functions that it cannot call; nvlink does not.
#
# Guess: a kernel pays for those functions whose address is taken and whose type matches the pointer.
# In fact: so it is after nvlink: 140 registers through the pointer to the large function, 24 through a pointer of
#   another type. A whole program gives both kernels 64, no more than 1,024 threads have, and spills in the large
#   function: the mere presence of it costs the kernel that can never call it 40 registers.
# Version: nvcc, ptxas and nvlink 13.0.88, cuobjdump 13.2.86.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cuobjdump==13.2.86
PATH="$here/packages/nvidia/cu13/bin:$PATH"
cat >k.cu <<'END'
typedef float (*Long)(float, const float*, int, int);
typedef float (*Short)(float, int);
__device__ float little(float x, const float*, int, int) { return x + 1; }
__device__ float large(float x, const float* in, int step, int rounds) {
  float v[48], sum = 0;
#pragma unroll
  for (int i = 0; i < 48; ++i) v[i] = in[i * step];
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    float y = in[r];
#pragma unroll
    for (int i = 0; i < 48; ++i) v[i] = fmaf(v[i], y, v[(i + 1) % 48]);
  }
#pragma unroll
  for (int i = 0; i < 48; ++i) sum += v[i] * x;
  return sum;
}
__device__ float other(float x, int n) { return x * n; }
__device__ Long longs[] = {little, LARGE};
__device__ Short shorts[] = {other, other};
extern "C" __global__ void through_long(float* out, const float* in, int i, int n) { out[threadIdx.x] = longs[i](out[0], in, i, n); }
extern "C" __global__ void through_short(float* out, int i) { out[threadIdx.x] = shorts[i](out[0], i); }
END
used() { cuobjdump -res-usage "$1" 2>/dev/null | awk '/Function through_/ {name = $2; next} name {print name, $1; name = ""}' | sort | cut -d: -f3 | paste -sd' '; }
both() { nvcc -w -arch=sm_90 -DLARGE=$1 -cubin k.cu -o whole.cubin; nvcc -w -arch=sm_90 -DLARGE=$1 -rdc=true -cubin k.cu -o object.cubin; nvlink -arch sm_90 object.cubin -o linked.cubin; echo "$(used whole.cubin), $(used linked.cubin)"; }
holds "no large function: long, short by a whole program; after nvlink" "$(both little)" "24 24, 24 24"
holds "a large function of the long type" "$(both large)" "64 64, 140 24"
exit $status
