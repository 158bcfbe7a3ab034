#!/usr/bin/env bash
# Launch bounds that differ between a kernel's declarations: nvcc takes the last of each number, clang the definition's.
#
# Guess: the definition's bounds count, or the compiler refuses declarations that contradict one another.
# In fact: nvcc goes through all declarations, those behind the definition too: (256, 2) at the definition and (512)
#   behind it make .maxntid 512 and .minnctapersm 2. clang takes (256, 2). Neither warns.
# Version: nvcc 13.0.88, clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 ziglang==0.17.1
PATH="$here/packages/nvidia/cu13/bin:$PATH"
cat >words.h <<'END'
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#ifdef __HIP__
#define __syncthreads __builtin_amdgcn_s_barrier
#define LANE __builtin_amdgcn_workitem_id_x()
#else
#define LANE __nvvm_read_ptx_sreg_tid_x()
#endif
END
cat >k.cu <<'END'
#ifndef __NVCC__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif
extern "C" __global__ void __launch_bounds__(128, 4) before(int* p);
extern "C" __global__ void __launch_bounds__(256) before(int* p) { p[0] = 1; }
extern "C" __global__ void __launch_bounds__(256, 2) behind(int* p) { p[0] = 1; }
extern "C" __global__ void __launch_bounds__(512) behind(int* p);
END
nvcc -arch=sm_90 -ptx k.cu -o nvcc.ptx 2>nvcc.log
packages/ziglang/zig clang -Wall -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudalib -nocudainc -O1 -include words.h -S k.cu -o clang.ptx 2>clang.log
bounds() { awk -v kernel="$1" '/\.entry/ {this = $0} index(this, kernel) && /^[ \t]*\.(max|min)/ {print $1, $2 + 0}' "$2" | sort -u | paste -sd' '; }
holds "nvcc, (128, 4), then (256) at the definition" "$(bounds before nvcc.ptx)" ".maxntid 256 .minnctapersm 4"
holds "nvcc, (256, 2) at the definition, then (512)" "$(bounds behind nvcc.ptx)" ".maxntid 512 .minnctapersm 2"
holds "clang, (128, 4), then (256) at the definition" "$(bounds before clang.ptx)" ".maxntid 256"
holds "clang, (256, 2) at the definition, then (512)" "$(bounds behind clang.ptx)" ".maxntid 256 .minnctapersm 2"
holds "warnings of bounds" "$(cat nvcc.log clang.log | grep -c launch_bounds || true)" "0"
exit $status
