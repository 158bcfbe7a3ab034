#!/usr/bin/env bash
# One command, several --offload-arch: clang's remarks about registers do not say which architecture they are of.
#
# Guess: blocks of remarks follow one another in the order of the options.
# In fact: in the order of the architectures' names, whatever the order of the options: gfx1030, gfx906, gfx90a, gfx942.
#   A name twice is compiled once. So a log of such a command is told apart by sorting what the command names.
# Version: clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get ziglang==0.17.1
echo '__attribute__((global)) void k(int* p, int n) { p[__builtin_amdgcn_workitem_id_x()] = n; }' >k.hip
# The most waves that a SIMD holds tell three architectures apart: 16 on gfx1030, 10 on gfx906, 8 on gfx90a and gfx942.
waves() {
  packages/ziglang/zig clang -w -x hip "${@/#/--offload-arch=}" --cuda-device-only -nogpulib -nogpuinc -O2 -Rpass-analysis=kernel-resource-usage -S k.hip >clang.log 2>&1 || { cat clang.log; exit 1; }
  grep -oE 'Occupancy \[waves/SIMD\]: [0-9]+' clang.log | grep -oE '[0-9]+$' | paste -sd' '
}
! grep -q 'gfx' <(waves gfx906 >/dev/null; grep remark: clang.log) || { echo "a remark names its architecture" && status=1; }
holds "gfx906 gfx1030 gfx90a" "$(waves gfx906 gfx1030 gfx90a)" "16 10 8"
holds "gfx90a gfx906 gfx1030" "$(waves gfx90a gfx906 gfx1030)" "16 10 8"
holds "gfx90a gfx1030" "$(waves gfx90a gfx1030)" "16 8"
holds "gfx906 gfx1030 gfx906" "$(waves gfx906 gfx1030 gfx906)" "16 10"
exit $status
