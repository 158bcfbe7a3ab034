#!/usr/bin/env bash
# template <> __global__ void k<3>(...) without bounds has the launch bounds of the template.
#
# Guess: an explicit specialisation is a function of its own: it takes nothing from the primary template, as it takes
#   neither its `inline` nor its body.
# In fact: nvcc and clang both give it .maxntid 128 and .minnctapersm 4 of `template <int N> __global__ void
#   __launch_bounds__(128, 4) k`. Bounds of its own replace them, number by number with nvcc: `__launch_bounds__(256)`
#   keeps the 4. In clang they replace all.
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
template <int N> __global__ void __launch_bounds__(128, 4) k(int* p) { p[N] = N; }
template <> __global__ void k<3>(int* p) { p[0] = 7; }
template <> __global__ void __launch_bounds__(256) k<5>(int* p) { p[0] = 9; }
template __global__ void k<4>(int* p);
END
nvcc -arch=sm_90 -ptx k.cu -o nvcc.ptx
packages/ziglang/zig clang -w -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudalib -nocudainc -O1 -include words.h -S k.cu -o clang.ptx
bounds() { awk -v kernel="ILi$1E" '/\.entry/ {this = $0} index(this, kernel) && /^\.(max|min)/ {print $1, $2 + 0}' "$2" | sort -u | paste -sd' '; }
for compiler in nvcc clang; do
  holds "$compiler, instance" "$(bounds 4 $compiler.ptx)" ".maxntid 128 .minnctapersm 4"
  holds "$compiler, specialisation without bounds" "$(bounds 3 $compiler.ptx)" ".maxntid 128 .minnctapersm 4"
done
holds "nvcc, specialisation with (256)" "$(bounds 5 nvcc.ptx)" ".maxntid 256 .minnctapersm 4"
holds "clang, specialisation with (256)" "$(bounds 5 clang.ptx)" ".maxntid 256"
exit $status
