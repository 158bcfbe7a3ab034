#!/usr/bin/env bash
# LDS of two variables is rounded up to the widest element type, but not to alignas.
#
# Guess: the sum is rounded up to the strictest alignment of the variables, or not at all.
# In fact: clang for AMD puts them into a struct: its size follows LLVM's types, in which alignas has no part.
#   double[5] and char[3] take 48 bytes, int[5] and char[3] 24; alignas(64) char[100] and char[3] take 103. nvcc
#   rounds none of these sums (43, 23, 103).
# Version: clang 19.1.7 and 22.1.8 (ziglang 0.14.1 and 0.17.1), nvcc 13.0.88.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "${into:-packages}" "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
into=old get ziglang==0.14.1
into=new get ziglang==0.17.1
# Bytes of static shared memory, by ptxas.
smem() { awk -F"'" -v kernel="$1" '/Compiling entry/ {this = $2} /Used/ && this == kernel {print match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0}' "${2:-nvcc.log}"; }
# Bytes of LDS, by the metadata of the code object.
lds() { awk -v kernel="$1" '/group_segment_fixed_size:/ {bytes = $2} /^    \.name:/ && $2 == kernel {print bytes}' "${2:-k.s}"; }
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
#define USE(n) a[LANE % n] = n_; b[LANE % 3] = n_; __syncthreads(); p[LANE] = a[n_] + b[n_];
extern "C" __global__ void doubles(int* p, int n_) { __shared__ double a[5]; __shared__ char b[3]; USE(5) }
extern "C" __global__ void ints(int* p, int n_) { __shared__ int a[5]; __shared__ char b[3]; USE(5) }
extern "C" __global__ void aligned(int* p, int n_) { __shared__ __attribute__((aligned(64))) char a[100]; __shared__ char b[3]; USE(100) }
END
nvcc -w -arch=sm_90 -DLANE=threadIdx.x -Xptxas -v -cubin k.cu -o k.cubin 2>nvcc.log
for it in old new; do
  "$it/ziglang/zig" clang -w -x hip --cuda-device-only --offload-arch=gfx90a -nogpulib -nogpuinc -O3 -include words.h -S k.cu -o $it.s
done
all() { echo "$(lds "$1" old.s) $(lds "$1" new.s) $(smem "$1")"; }
holds "double[5], char[3]: clang 19, clang 22, nvcc" "$(all doubles)" "48 48 43"
holds "int[5], char[3]" "$(all ints)" "24 24 23"
holds "alignas(64) char[100], char[3]" "$(all aligned)" "103 103 103"
exit $status
