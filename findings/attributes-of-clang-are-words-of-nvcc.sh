#!/usr/bin/env bash
# nvcc compiles __attribute__((global)) and __attribute__((shared)), which are clang's spelling.
#
# Guess: nvcc knows CUDA's keywords only: a GNU attribute that it does not know is ignored with a warning, and the
#   function is one of the host.
# In fact: they make a kernel and a shared variable, without a warning and without the toolkit's macros being in the
#   way; `__attribute__((launch_bounds(64, 2)))` makes bounds.
# Version: nvcc and ptxas 13.0.88.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
# Bytes of static shared memory, by ptxas.
smem() { awk -F"'" -v kernel="$1" '/Compiling entry/ {this = $2} /Used/ && this == kernel {print match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0}' "${2:-nvcc.log}"; }
cat >k.cu <<'END'
extern "C" __attribute__((global)) void __attribute__((launch_bounds(64, 2))) k(int* p, int n) {
  __attribute__((shared)) int t[64];
  t[threadIdx.x] = n;
  __syncthreads();
  p[threadIdx.x] = t[n];
}
END
nvcc -arch=sm_90 -Xptxas -v -cubin k.cu -o k.cubin 2>nvcc.log
nvcc -arch=sm_90 -ptx k.cu -o k.ptx
holds "shared memory of the kernel" "$(smem k)" "256"
holds "bounds" "$(grep -oE '^\.(max|min)[a-z]+ [0-9]+' k.ptx | paste -sd' ')" ".maxntid 64 .minnctapersm 2"
holds "warnings" "$(grep -c warning nvcc.log || true)" "0"
exit $status
