#!/usr/bin/env bash
# #if (1u << 64) != 0 is true in OpenCL C by clang, and false in C and HIP.
#
# Guess: a preprocessor computes in intmax_t, 64 bits, in every language of one compiler.
# In fact: OpenCL C reserves a long long of 128 bits, and clang's #if takes it: nothing wraps at 64 bits, -4u is not
#   18446744073709551612, and -(4u) % 98 has another remainder. A size that an #if chooses may be another one than by
#   any other preprocessor.
# Version: clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get ziglang==0.17.1
clang() { packages/ziglang/zig clang -w -x cl -cl-std=CL2.0 -cl-no-stdinc -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib "$@"; }
cat >k.c <<'END'
#if (1u << 64) != 0
wide
#endif
#if -4u == 18446744073709551612u
wraps
#endif
#if -(4u) % 98
remainder
#endif
END
words() { grep -oE '^(wide|wraps|remainder)$' | paste -sd' '; }
holds "C" "$(packages/ziglang/zig clang -w -x c -E -P k.c | words)" "wraps remainder"
holds "HIP" "$(packages/ziglang/zig clang -w -x hip --cuda-device-only --offload-arch=gfx90a -nogpulib -nogpuinc -E -P k.c | words)" "wraps remainder"
holds "OpenCL C" "$(clang -E -P k.c | words)" "wide"
exit $status
