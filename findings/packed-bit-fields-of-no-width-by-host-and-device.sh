#!/usr/bin/env bash
# A packed struct with `char : 0` has 5 bytes in nvcc's host code and 4 in its device code.
#
# Guess: host and device agree on the size of every struct that can be passed between them, or the compiler says
#   something.
# In fact: GCC, and clang for AMD, start a new unit at the bit-field of no width; NVVM packs on. No message; sizeof in
#   a kernel differs from sizeof around its launch, and shared memory follows the device's.
# Version: nvcc 13.0.88 with the system's GCC, clang 22.1.8 (ziglang 0.17.1).
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
struct __attribute__((packed)) Record { char first; bool on : 1; char : 0; unsigned rest : 20; };
struct __attribute__((packed)) Plain { char first; bool on : 1; unsigned rest : 20; };
__global__ void sizes(int* p) { p[0] = sizeof(Record); p[1] = sizeof(Plain); }
#ifdef __NVCC__
int of_the_host[2] = {sizeof(Record), sizeof(Plain)};
#endif
END
nvcc -arch=sm_90 -ptx k.cu -o k.ptx 2>said.log
nvcc -arch=sm_90 -x cu -Xcompiler -S -c k.cu -o k.s 2>>said.log
packages/ziglang/zig clang -w -x hip --cuda-device-only --offload-arch=gfx90a -nogpulib -nogpuinc -O1 -include words.h -emit-llvm -S k.cu -o k.ll
# Both sizes are one constant of the PTX, which is stored twice.
holds "device, with the bit-field of no width and without" "$(grep -oE 'mov\.[a-z]32[[:space:]]+%r[0-9]+, [0-9]+' k.ptx | grep -oE '[0-9]+$' | paste -sd' ')" "4"
holds "stores of it" "$(grep -c 'st.global.u32' k.ptx)" "2"
holds "host" "$(grep -A2 '^of_the_host:' k.s | grep -oE '[0-9]+$' | paste -sd' ')" "5 4"
holds "clang for AMD" "$(grep -oE 'store i32 [0-9]' k.ll | grep -oE '[0-9]$' | paste -sd' ')" "5 4"
holds "messages" "$(wc -l <said.log)" "0"
exit $status
