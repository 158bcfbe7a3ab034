#!/usr/bin/env bash
# reqd_work_group_size(8, 1, 1) makes SIMD8 on dg2 and tgllp, and SIMD32 with 24 idle channels on pvc.
#
# Guess: a required size that is smaller than the SIMD width brings it down to the smallest width of the chip that
#   holds it: 8 on dg2, 16 on pvc.
# In fact: pvc has SIMD16, and takes 32 for work-groups of 1, 8 and 16 all the same; skl, tgllp and dg2 take 8, 8 and
#   16. So a work-group of 16 fills a thread on one and half a thread on the other.
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
cat >k.cl <<'END'
#define OF(n) __kernel __attribute__((reqd_work_group_size(n, 1, 1))) void of##n(__global float* o) { o[get_global_id(0)] += 1; }
OF(1) OF(8) OF(16) OF(24) OF(64)
__kernel __attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) void asked(__global float* o) { o[get_global_id(0)] += 1; }
END
for it in "skl:8 8 16 32 32 16" "tgllp:8 8 16 32 32 16" "dg2:8 8 16 32 32 16" "pvc:32 32 32 32 32 16"; do
  root/usr/bin/ocloc compile -q -file k.cl -device ${it%:*} --format zebin -output zebin -output_no_suffix >ocloc.log 2>&1 || { cat ocloc.log; exit 1; }
  holds "${it%:*}, work-groups of 1, 8, 16, 24, 64, and 16 with a sub-group of 16" "$(for kernel in of1 of8 of16 of24 of64 asked; do python3 info.py $kernel simd_size; done | paste -sd' ')" "${it#*:}"
done
exit $status
