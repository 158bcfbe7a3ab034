#!/usr/bin/env bash
# A __noinline__ function that two kernels call: whole programs hold it once for each cap, relocatable code once for all.
#
# Guess: there is one body of the function, so it is compiled for the tightest of its callers' launch bounds, and all
#   callers share what it spills.
# In fact: ptxas makes a copy for each cap: the kernel without bounds has 72 registers and no stack, with or without a
#   neighbour of (1024, 2), which has 32 and spills. With -rdc=true there is one body, and after nvlink the kernel
#   without bounds has 172 registers where it stands alone, and 32 with 352 bytes of stack beside the bounded one,
#   whose cap it never asked for.
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
__device__ __noinline__ void work(const float* in, float* out, int step, int rounds) {
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
extern "C" __global__ void unbounded(const float* in, float* out, int step, int rounds) { work(in + threadIdx.x, out, step, rounds); }
#ifdef NEIGHBOUR
extern "C" __global__ void __launch_bounds__(1024, 2) bounded(const float* in, float* out, int step, int rounds) { work(in + threadIdx.x, out, step, rounds); }
#endif
END
used() { cuobjdump -res-usage "$2" 2>/dev/null | awk -v kernel="$1:" '$2 == kernel {take = 1; next} take {print $1, $2; exit}'; }
whole() { nvcc -w -arch=sm_90 $1 -cubin k.cu -o whole.cubin; }
linked() { nvcc -w -arch=sm_90 -rdc=true $1 -cubin k.cu -o object.cubin; nvlink -arch sm_90 object.cubin -o linked.cubin; }
whole ""; linked ""
holds "alone, whole program" "$(used unbounded whole.cubin)" "REG:72 STACK:0"
holds "alone, relocatable" "$(used unbounded linked.cubin)" "REG:172 STACK:0"
whole -DNEIGHBOUR; linked -DNEIGHBOUR
holds "beside a bounded kernel, whole program" "$(used unbounded whole.cubin)" "REG:72 STACK:0"
holds "the bounded kernel" "$(used bounded whole.cubin)" "REG:32 STACK:240"
holds "beside a bounded kernel, relocatable" "$(used unbounded linked.cubin)" "REG:32 STACK:352"
holds "its object before linking" "$(used unbounded object.cubin)" "REG:24 STACK:0"
exit $status
