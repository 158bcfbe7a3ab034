#!/usr/bin/env bash
# In OpenCL C for AMD a struct with a pointer to local memory is half the size of one with a pointer to global memory.
#
# Guess: pointers have the device's address width, 8 bytes, whatever they point to.
# In fact: clang gives pointers to local and private memory 4 bytes, and to global memory 8: struct {T* a; char b;}
#   has 8 and 16. Of a pointer without an address space, generic in OpenCL 2.0, 8. In HIP, where all pointers are
#   generic, the struct always has 16.
# Version: clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get ziglang==0.17.1
clang() { packages/ziglang/zig clang -w -x cl -cl-std=CL2.0 -cl-no-stdinc -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib "$@"; }
cat >k.cl <<'END'
struct Local { __local int* a; char b; };
struct Private { __private int* a; char b; };
struct Global { __global int* a; char b; };
struct Generic { int* a; char b; };
__kernel void k(__global int* o) { o[0] = sizeof(struct Local); o[1] = sizeof(struct Private); o[2] = sizeof(struct Global); o[3] = sizeof(struct Generic); }
END
clang -O1 -emit-llvm -S k.cl -o k.ll
holds "local, private, global, generic" "$(grep -oE 'store i32 [0-9]+' k.ll | grep -oE '[0-9]+$' | head -4 | paste -sd' ')" "8 8 16 16"
cat >k.hip <<'END'
struct Struct { int* a; char b; };
extern "C" __attribute__((global)) void k(int* o) { o[0] = sizeof(Struct); }
END
packages/ziglang/zig clang -w -x hip --cuda-device-only --offload-arch=gfx90a -nogpulib -nogpuinc -O1 -emit-llvm -S k.hip -o k.ll
holds "HIP" "$(grep -oE 'store i32 [0-9]+' k.ll | grep -oE '[0-9]+$')" "16"
exit $status
