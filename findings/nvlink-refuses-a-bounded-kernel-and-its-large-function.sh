#!/usr/bin/env bash
# nvlink refuses a kernel with launch bounds that calls a larger function of another file.
#
# Guess: the kernel is given the registers of the largest function that it calls, whatever its bounds; or the function
#   is compiled again under them.
# In fact: an error: "entry function 'k' with max regcount of 32 calls function ... with regcount of 172". So bounds
#   hold in a program that was linked, and a bounded kernel breaks the build of its callees. Without bounds it is
#   given 172.
# Version: nvcc, ptxas and nvlink 13.0.88, cuobjdump 13.2.86.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cuobjdump==13.2.86
PATH="$here/packages/nvidia/cu13/bin:$PATH"
cat >function.cu <<'END'
__device__ void work(const float* in, float* out, int step, int rounds) {
  float v[48];
#pragma unroll
  for (int i = 0; i < 48; ++i) v[i] = in[i * step];
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    float x = in[r];
#pragma unroll
    for (int i = 0; i < 48; ++i) v[i] = fmaf(v[i], x, v[(i + 1) % 48]);
  }
#pragma unroll
  for (int i = 0; i < 48; ++i) out[i * step] = v[i];
}
END
cat >kernel.cu <<'END'
__device__ void work(const float* in, float* out, int step, int rounds);
extern "C" __global__ void BOUNDS k(const float* in, float* out, int step, int rounds) { work(in + threadIdx.x, out, step, rounds); }
END
nvcc -w -arch=sm_90 -rdc=true -cubin function.cu -o function.cubin
linked() {
  sed "s/BOUNDS/$1/" kernel.cu >this.cu
  nvcc -w -arch=sm_90 -rdc=true -cubin this.cu -o kernel.cubin
  if nvlink -arch sm_90 kernel.cubin function.cubin -o linked.cubin >nvlink.log 2>&1; then cuobjdump -res-usage linked.cubin 2>/dev/null | awk '$2 == "k:" {take = 1; next} take {print $1; exit}'
  else grep -oE 'max regcount of [0-9]+|with regcount of [0-9]+' nvlink.log | paste -sd' '; fi
}
holds "no bounds" "$(linked "")" "REG:172"
holds "(1024, 2)" "$(linked "__launch_bounds__(1024, 2)")" "max regcount of 32 with regcount of 172"
holds "(256, 1)" "$(linked "__launch_bounds__(256, 1)")" "REG:172"
exit $status
