#!/usr/bin/env bash
# ocloc refuses -cl-intel-128-GRF-per-thread, and -cl-intel-256-GRF-per-thread neither halves the SIMD width nor says where it does nothing.
#
# Guess: the two options are a pair, one for each register file; with 256 registers a kernel is compiled for half as
#   many work-items a thread; a chip without the large file says so.
# In fact: 128 is an unrecognized option, with which nothing is built. 256 makes grf_count 256 at SIMD32 still, on pvc
#   and dg2, and so does -ze-opt-large-register-file; tgllp has no such file, accepts both and stays at 128 without a
#   message.
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
cat >info.py <<'END'
import re, sys
name, *keys = sys.argv[1:]
text = open("zebin", "rb").read().decode("latin1")
(kernel,) = (it for it in re.split(r"\n *- *name: *", text[text.index("version:"):]) if it.startswith(name + "\n") and "simd_size" in it)
print(*((re.search(rf"\b{key}: *(\S+)", kernel) or ["", "-"])[1] for key in keys))
END
echo '__kernel void k(__global float* o) { o[get_global_id(0)] += 1; }' >k.cl
built() { rm -f zebin; root/usr/bin/ocloc compile -file k.cl -device "$1" -options "$2" --format zebin -output zebin -output_no_suffix >ocloc.log 2>&1; if [ -e zebin ]; then python3 info.py k grf_count simd_size; else grep -oE 'Unrecognized build options|rror.*' ocloc.log | head -1; fi; }
for it in "pvc:128 32:256 32" "dg2:128 32:256 32" "tgllp:128 32:128 32"; do
  IFS=: read -r device usual large <<<"$it"
  holds "$device: registers, SIMD width" "$(built $device "-cl-mad-enable")" "$usual"
  holds "$device, 128" "$(built $device -cl-intel-128-GRF-per-thread)" "Unrecognized build options"
  holds "$device, 256" "$(built $device -cl-intel-256-GRF-per-thread)" "$large"
  holds "$device, large register file" "$(built $device -ze-opt-large-register-file)" "$large"
  holds "$device, warnings" "$(grep -ci warning ocloc.log || true)" "0"
done
exit $status
