#!/usr/bin/env bash
# nvcc -rdc=true compiles 64 KiB of static shared memory; nvlink refuses it.
#
# Guess: ptxas holds static shared memory against 48 KiB, so the file does not compile, relocatable or not.
# In fact: for relocatable code nothing is checked before the device link: the compiler ends with status 0, and the
#   message of too much shared data comes from nvlink, with the same numbers.
# Version: nvcc, ptxas and nvlink 13.0.88.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
cat >k.cu <<'END'
extern "C" __global__ void k(int* p, int n) { __shared__ int t[16384]; t[threadIdx.x] = n; __syncthreads(); p[0] = t[n]; }
END
ends() { if "$@" >tool.log 2>&1; then echo "compiled"; else grep -oE '0x[0-9a-f]+ bytes, 0x[0-9a-f]+ max' tool.log; fi; }
holds "whole program" "$(ends nvcc -arch=sm_90 -cubin k.cu -o k.cubin)" "0x10000 bytes, 0xc000 max"
holds "-rdc=true" "$(ends nvcc -arch=sm_90 -rdc=true -cubin k.cu -o k.cubin)" "compiled"
holds "nvlink" "$(ends nvlink -arch sm_90 k.cubin -o linked.cubin)" "0x10000 bytes, 0xc000 max"
exit $status
