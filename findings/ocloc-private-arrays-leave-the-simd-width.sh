#!/usr/bin/env bash
# A private array of 4 KiB leaves an OpenCL kernel at SIMD32, and its size is told for a work-item on dg2 and for a thread elsewhere.
#
# Guess: with 4 KiB for each work-item IGC falls back to SIMD16 or SIMD8; and the zebin says 4,096 bytes, for
#   whichever chip.
# In fact: SIMD32 on skl, tgllp, pvc and dg2 alike. per_thread_memory_buffers has 131,072 bytes, those of the 32
#   work-items of a hardware thread, but on dg2 4,096 with is_simt_thread: true. What a thread needs differs by 32 if
#   that key is overlooked.
# Version: ocloc 22.43.24595.41-1, IGC 1.0.12504.6 (Debian 12).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
export TMPDIR="$here" HOME="$here"
apt-get download -qq intel-opencl-icd=22.43.24595.41-1 libigc1=1.0.12504.6-1+deb12u1 libigdfcl1=1.0.12504.6-1+deb12u1 libigdgmm12 libopencl-clang14 libclang-cpp14 libllvm14 libllvmspirvlib14 libz3-4 libedit2 libbsd0 libxml2 libicu72 >apt.log 2>&1 || { cat apt.log; exit 2; }
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH="$here/root/usr/lib/x86_64-linux-gnu:$here/root/usr/lib/llvm-14/lib"
cat >k.cl <<'END'
__kernel void k(__global float* o, int n) {
  float a[1024];
  for (int i = 0; i < n; ++i) a[i] = o[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  o[get_global_id(0)] = a[n - get_local_id(0)];
}
END
cat >info.py <<'END'
import re, sys
name, *keys = sys.argv[1:]
text = open("zebin", "rb").read().decode("latin1")
(kernel,) = (it for it in re.split(r"\n *- *name: *", text[text.index("version:"):]) if it.startswith(name + "\n") and "simd_size" in it)
print(*((re.search(rf"\b{key}: *(\S+)", kernel) or ["", "-"])[1] for key in keys))
END
said() { root/usr/bin/ocloc compile -q -file k.cl -device $1 --format zebin -output zebin -output_no_suffix >ocloc.log 2>&1 || { cat ocloc.log; exit 1; }; echo "$(python3 info.py k simd_size is_simt_thread) $(strings -n 3 zebin | sed -n '/per_thread_memory_buffers/,$p' | grep -oE 'size: +[0-9]+' | grep -oE '[0-9]+' | paste -sd' ')"; }
holds "skl: SIMD width, is_simt_thread, bytes" "$(said skl)" "32 - 131072"
holds "tgllp" "$(said tgllp)" "32 - 131072"
holds "pvc" "$(said pvc)" "32 - 131072"
holds "dg2" "$(said dg2)" "32 true 4096"
exit $status
