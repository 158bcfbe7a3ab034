#!/usr/bin/env bash
# LDS of a function that stays a call stands before the kernel's own, and its padding with it.
#
# Guess: all variables that a kernel reaches are sorted by alignment together, the widest first, so that 32 aligned
#   bytes and 5 more take 37.
# In fact: what several kernels reach through a call goes into a struct of the module at address 0, the kernel's own
#   struct behind it: 5 bytes, 11 of padding, 32 bytes. Inlined, or in one kernel alone, the same variables take 37.
# Version: clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get ziglang==0.17.1
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
#define KERNEL extern "C" __global__ void
__device__ STAYS void helper(int* p, int n) { __shared__ char t[5]; t[LANE % 5] = n; __syncthreads(); p[LANE] = t[n]; }
KERNEL own_and_helper(int* p, int n) { __shared__ __attribute__((aligned(16))) char a[32]; a[LANE % 32] = n; __syncthreads(); p[LANE] = a[n]; helper(p + 1, n); }
#ifdef SECOND
KERNEL helper_only(int* p, int n) { helper(p, n); helper(p + 9, n); }
#endif
END
bytes() { packages/ziglang/zig clang -w -x hip --cuda-device-only --offload-arch=gfx90a -nogpulib -nogpuinc -O3 -include words.h "$@" -S k.cu -o k.s && lds own_and_helper; }
holds "a call, two kernels" "$(bytes -DSTAYS='__attribute__((noinline))' -DSECOND)" "48"
holds "a call, one kernel" "$(bytes -DSTAYS='__attribute__((noinline))')" "37"
holds "inlined, two kernels" "$(bytes -DSTAYS='__attribute__((always_inline))' -DSECOND)" "37"
exit $status
