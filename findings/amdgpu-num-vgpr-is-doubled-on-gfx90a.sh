#!/usr/bin/env bash
# __attribute__((amdgpu_num_vgpr(32))) gives 64 VGPRs on gfx90a and gfx942, and 32 elsewhere.
#
# Guess: the kernel has at most 32, as the documentation of the attribute says.
# In fact: where one file holds vector and accumulation registers, the number counts for each half: .vgpr_count is 64,
#   and 96 for amdgpu_num_vgpr(48), which leaves room for 5 waves a SIMD where 48 leave it for 8. On gfx908, whose
#   accumulation registers are a file of their own, it is 32 and 32; on gfx1100 32.
# Version: clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get ziglang==0.17.1
python3 - >k.cu <<'END'
each = range(90)
print('extern "C" __attribute__((global)) CAP void k(const float* in, float* out, int step, int rounds) {\n  int t = __builtin_amdgcn_workitem_id_x();')
print(*(f"  float v{i} = in[t + {i} * step];" for i in each), "#pragma unroll 1", "  for (int r = 0; r < rounds; ++r) {", "    float x = in[r];", sep="\n")
print(*(f"    v{i} = __builtin_fmaf(v{i}, x, v{(i + 1) % 90});" for i in each), "  }", sep="\n")
print(*(f"  out[t + {i} * step] = v{i};" for i in each), "}", sep="\n")
END
vgprs() { packages/ziglang/zig clang -w -x hip --cuda-device-only --offload-arch=$1 -nogpulib -nogpuinc -O3 "-DCAP=__attribute__((amdgpu_num_vgpr($2)))" -S k.cu -o k.s; grep -oE '^ +\.vgpr_count: +[0-9]+' k.s | grep -oE '[0-9]+$'; }
for it in gfx90a:64 gfx942:64 gfx908:32 gfx1030:32 gfx1100:32; do holds "32 on ${it%:*}" "$(vgprs ${it%:*} 32)" "${it#*:}"; done
holds "48 on gfx90a" "$(vgprs gfx90a 48)" "96"
holds "waves then" "$(grep -oE '; Occupancy: [0-9]+' k.s | grep -oE '[0-9]+$')" "5"
exit $status
