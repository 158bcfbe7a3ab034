#!/usr/bin/env bash
# nvcc -dlto -maxrregcount=40: the limit is gone unless the link is given it again.
#
# Guess: a limit that a file is compiled with holds for its kernels, however they are linked.
# In fact: the intermediate code has no trace of it: nvJitLink makes 56 registers, as without, and 40 only with
#   -maxrregcount=40 of its own. Launch bounds travel along, and go before it: (256) makes 64 registers, with
#   -maxrregcount=40 at the link, too.
# Version: nvcc and nvJitLink 13.0.88, cuobjdump 13.2.86.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cuobjdump==13.2.86 nvidia-nvjitlink==13.0.88
PATH="$here/packages/nvidia/cu13/bin:$PATH"
# A kernel that keeps N values alive around a loop.
live() {
  python3 - "$1" "$2" <<'END'
import sys
count, bounds = int(sys.argv[1]), sys.argv[2]
each = range(count)
print(f'extern "C" __global__ void {bounds} k(const float* in, float* out, int step, int rounds) {{ int t = threadIdx.x;')
print(*(f"  float v{i} = in[t + {i} * step];" for i in each), "#pragma unroll 1", sep="\n")
print("  for (int r = 0; r < rounds; ++r) {\n    float x = in[r];")
print(*(f"    v{i} = fmaf(v{i}, x, v{(i + 1) % count});" for i in each), "  }", sep="\n")
print(*(f"  out[t + {i} * step] = v{i};" for i in each), "}", sep="\n")
END
}
cat >link.py <<'END'
import ctypes, sys
path, options = sys.argv[1], [it.encode() for it in sys.argv[2:]]
IR = 3  # NVJITLINK_INPUT_LTOIR
library = ctypes.CDLL("packages/nvidia/cu13/lib/libnvJitLink.so.13")
def call(name, *arguments):
    function = next(getattr(library, it) for it in (f"__{name}_13_0", name) if hasattr(library, it))
    if function(*arguments): sys.exit(f"{name} failed")
link, size, data = ctypes.c_void_p(), ctypes.c_size_t(), open(path, "rb").read()
call("nvJitLinkCreate", ctypes.byref(link), len(options), (ctypes.c_char_p * len(options))(*options))
call("nvJitLinkAddData", link, IR, data, ctypes.c_size_t(len(data)), path.encode())
call("nvJitLinkComplete", link)
call("nvJitLinkGetLinkedCubinSize", link, ctypes.byref(size))
cubin = ctypes.create_string_buffer(size.value)
call("nvJitLinkGetLinkedCubin", link, cubin)
open("linked.cubin", "wb").write(cubin.raw)
END
ir() { nvcc -arch=sm_90 -dlto -dc -ltoir "$@" k.cu -o k.ltoir; }
registers() { cuobjdump -res-usage linked.cubin 2>/dev/null | grep -oE 'REG:[0-9]+' | cut -d: -f2; }
linked() { python3 link.py k.ltoir -arch=sm_90 -lto "$@" && registers; }
live 40 "" >k.cu
ir; holds "no limit" "$(linked)" "56"
holds "limit at the link" "$(linked -maxrregcount=40)" "40"
ir -maxrregcount=40; holds "limit when compiled" "$(linked)" "56"
live 40 "__launch_bounds__(256)" >k.cu
ir; holds "__launch_bounds__(256)" "$(linked)" "64"
holds "__launch_bounds__(256), limit at the link" "$(linked -maxrregcount=40)" "64"
exit $status
