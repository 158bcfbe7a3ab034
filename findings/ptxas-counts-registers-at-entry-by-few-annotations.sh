#!/usr/bin/env bash
# setmaxnreg is ignored unless ptxas knows how many registers a thread begins with; what tells it is not the size alone.
#
# Guess: a number of blocks counts as stated even if it is 0, and an exact block size (__block_size__) settles what a
#   thread of the block may have: both requests are heeded, as beside bounds with a number of blocks.
# In fact: it takes a number of blocks of 1 or more in the bounds, or __maxnreg__; the kernel then has just as many
#   registers as these allow. Bounds with threads alone or with 0 blocks, and an exact size, leave the request without
#   effect (C7508), also with --maxrregcount, which counts for kernels without bounds alone; and the kernel has few.
# Version: nvcc and ptxas 13.0.88.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
heads=("" "__launch_bounds__(384)" "__launch_bounds__(384, 0)" "__block_size__((384, 1, 1))" "__launch_bounds__(384, 1)" "__maxnreg__(168)")
# By head: the kernel's registers; "-" behind them: the request is ignored.
said() {
  for head in "${heads[@]}"; do
    echo "extern \"C\" __global__ void $head k(float* p) { asm volatile(\"setmaxnreg.dec.sync.aligned.u32 40;\"); p[threadIdx.x] *= 2; }" >k.cu
    nvcc -arch=sm_90a "$@" -Xptxas -v -cubin k.cu -o k.cubin >nvcc.log 2>&1 || { cat nvcc.log; exit 1; }
    echo "$(grep -oE 'Used [0-9]+' nvcc.log | cut -d' ' -f2)$(grep -q C7508 nvcc.log && echo -)"
  done | paste -sd' '
}
printf '%s; ' "${heads[@]}" && echo
holds "nvcc" "$(said)" "8- 8- 8- 8- 168 168"
holds "nvcc -maxrregcount=128" "$(said -maxrregcount=128)" "128 8- 8- 8- 168 168"
exit $status
