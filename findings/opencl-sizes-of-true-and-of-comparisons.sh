#!/usr/bin/env bash
# sizeof(true) is 1 in clang's OpenCL C, sizeof(a && b) is 4.
#
# Guess: as in C, all of them have an int's 4 bytes, true being the macro 1; or, since there is a bool, as in C++ all
#   have 1.
# In fact: both at once: true and false are keywords of type bool, comparisons and logical operators give int. So
#   `__local char t[sizeof(true) * 64]` has 64 bytes, and 256 with sizeof(1 == 1).
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
__kernel void k(__global int* o) { o[0] = sizeof(true); o[1] = sizeof(false); o[2] = sizeof(o[0] && o[1]); o[3] = sizeof(o[0] < o[1]); o[4] = sizeof(!o[0]); o[5] = sizeof((bool)o[0]); }
END
clang -O1 -emit-llvm -S k.cl -o k.ll
holds "true, false, &&, <, !, (bool)" "$(grep -oE 'store i32 [0-9]+' k.ll | grep -oE '[0-9]+$' | head -6 | paste -sd' ')" "1 1 4 4 4 1"
exit $status
