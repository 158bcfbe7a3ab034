#!/usr/bin/env bash
# nvcc -Ofc=min (--Ofast-compile) takes the most registers of the three levels, and keeps shared memory that mid drops.
#
# Guess: min, mid and max give up more and more optimisation, so registers and shared memory grow from one to the next.
# In fact: registers go 56, 112, 94, 60 from no option to max. Of an array of which only [0] is used, mid keeps 4 bytes
#   as full optimisation does, min all 256 as max does; one that is written only stays with max alone. What never runs
#   is dropped by all, which -G and -Xcicc -O0 keep.
# Version: nvcc and ptxas 13.0.88.
# Date: 2026-11-30. Source: measured; nvcc --help has --Ofast-compile.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
cat >k.cu <<'END'
extern "C" __global__ void first(int* p, int n) { __shared__ int t[64]; t[0] = n; __syncthreads(); p[0] = t[0]; }
extern "C" __global__ void written(int* p, int n) { __shared__ int t[64]; t[threadIdx.x] = n; }
extern "C" __global__ void never(int* p, int n) { __shared__ int t[64]; if (false) { t[threadIdx.x] = n; __syncthreads(); p[0] = t[n]; } p[1] = n; }
END
python3 - >live.cu <<'END'
each = range(40)
print('extern "C" __global__ void k(const float* in, float* out, int step, int rounds) { int t = threadIdx.x;')
print(*(f"  float v{i} = in[t + {i} * step];" for i in each), "#pragma unroll 1", sep="\n")
print("  for (int r = 0; r < rounds; ++r) {\n    float x = in[r];")
print(*(f"    v{i} = v{i} * x + v{(i + 1) % 40};" for i in each), "  }", sep="\n")
print(*(f"  out[t + {i} * step] = v{i};" for i in each), "}", sep="\n")
END
registers() { nvcc -arch=sm_90 "$@" -Xptxas -v -cubin live.cu -o live.cubin 2>&1 | grep -oE 'Used [0-9]+' | grep -oE '[0-9]+'; }
bytes() {
  nvcc -w -arch=sm_90 "${@:2}" -Xptxas -v -cubin k.cu -o k.cubin >nvcc.log 2>&1 || { cat nvcc.log; exit 1; }
  awk -F"'" -v kernel="$1" '/Compiling entry/ {this = $2} /Used/ && this == kernel {print match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0; exit}' nvcc.log
}
levels() { for level in "" -Ofc=min -Ofc=mid -Ofc=max; do "$@" $level; done | paste -sd' '; }
holds "registers: no option, min, mid, max" "$(levels registers)" "56 112 94 60"
holds "bytes of which only [0] is used" "$(levels bytes first)" "4 256 4 256"
holds "bytes that are written only" "$(levels bytes written)" "0 0 0 256"
holds "bytes whose uses never run" "$(levels bytes never)" "0 0 0 0"
exit $status
