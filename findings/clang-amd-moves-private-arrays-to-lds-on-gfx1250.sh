#!/usr/bin/env bash
# A private array of 40 floats is in scratch on gfx90a, gfx950 and gfx1201, and on gfx1250 takes 160 KiB of LDS of a group of 1,024.
#
# Guess: an array that a thread indexes at run time and that is too large for registers is scratch memory, on every
#   chip; a kernel that declares no LDS has none.
# In fact: LLVM moves it to LDS where that costs no wave. gfx1250 has 320 KiB: 163,840 bytes for 1,024 threads, 40,960
#   for 256, and no scratch. An array of 50 floats goes to scratch there, too, and one of 20 to registers everywhere.
# Version: clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured; the pass is LLVM's AMDGPUPromoteAlloca.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get ziglang==0.17.1
cat >k.hip <<'END'
extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(THREADS, THREADS))) void k(const float* in, float* out, int n, int m) {
  int lane = __builtin_amdgcn_workitem_id_x();
  float kept[FLOATS];
  for (int i = 0; i < n; ++i) kept[i] = in[i + lane];
  out[lane] = kept[m];
}
END
said() {
  packages/ziglang/zig clang -w -x hip --cuda-device-only --offload-arch=$1 -nogpulib -nogpuinc -O3 -DTHREADS=$2 -DFLOATS=$3 -S k.hip -o k.s >clang.log 2>&1 || { cat clang.log; exit 1; }
  grep -oE '\.(group|private)_segment_fixed_size: *[0-9]+' k.s | grep -oE '[0-9]+$' | paste -sd' '
}
for chip in gfx90a gfx950 gfx1201; do
  holds "$chip, 1,024 threads, 40 floats: LDS, scratch" "$(said $chip 1024 40)" "0 176"
done
holds "gfx1250, 1,024 threads, 40 floats" "$(said gfx1250 1024 40)" "163840 0"
holds "gfx1250, 256 threads, 40 floats" "$(said gfx1250 256 40)" "40960 0"
holds "gfx1250, 1,024 threads, 50 floats" "$(said gfx1250 1024 50)" "0 208"
holds "gfx1250, 1,024 threads, 20 floats" "$(said gfx1250 1024 20)" "0 0"
exit $status
