#!/usr/bin/env bash
# clang 22 for AMD defines no __AMDGCN_WAVEFRONT_SIZE__, so #if on it takes the branch for wave32.
#
# Guess: the macro is the documented way to tell wave32 from wave64 while compiling, and it is 64 on gfx90a.
# In fact: clang 19 defines it, with and without the underscores at its end; clang 22 neither, for HIP as for OpenCL
#   C. In an #if an undefined name is 0: `#if __AMDGCN_WAVEFRONT_SIZE__ == 64 ... #else` silently compiles the other
#   branch, and a shared array sized there has half its bytes.
# Version: clang 19.1.7 and 22.1.8 (ziglang 0.14.1 and 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$into" "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
into=old get ziglang==0.14.1
into=new get ziglang==0.17.1
cat >k.cu <<'END'
#if __AMDGCN_WAVEFRONT_SIZE__ == 64
#define LANES 64
#else
#define LANES 32
#endif
extern "C" __attribute__((global)) void k(int* p, int n) {
  __attribute__((shared)) int t[LANES];
  t[n] = p[n];
  __builtin_amdgcn_s_barrier();
  p[n] = t[n / 2];
}
END
# Bytes of LDS, by the metadata of the code object.
lds() { awk -v kernel="$1" '/group_segment_fixed_size:/ {bytes = $2} /^    \.name:/ && $2 == kernel {print bytes}' "${2:-k.s}"; }
macros() { "$1/ziglang/zig" clang "${@:2}" -nogpulib -dM -E - </dev/null 2>/dev/null | grep -oE '__AMDGCN_WAVEFRONT_SIZE\w* [0-9]+' | sort | paste -sd';' || true; }
for it in old new; do
  "$it/ziglang/zig" clang -w -x hip --cuda-device-only --offload-arch=gfx90a -nogpulib -nogpuinc -O3 -S k.cu -o $it.s
done
hip=(-x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc) opencl=(-x cl -cl-no-stdinc -target amdgcn-amd-amdhsa -mcpu=gfx90a)
both="__AMDGCN_WAVEFRONT_SIZE 64;__AMDGCN_WAVEFRONT_SIZE__ 64"
holds "clang 19, HIP" "$(macros old "${hip[@]}")" "$both"
holds "clang 19, OpenCL C" "$(macros old "${opencl[@]}")" "$both"
holds "clang 22, HIP" "$(macros new "${hip[@]}")" ""
holds "clang 22, OpenCL C" "$(macros new "${opencl[@]}")" ""
holds "bytes of the array by clang 19 and 22" "$(lds k old.s) $(lds k new.s)" "256 128"
exit $status
