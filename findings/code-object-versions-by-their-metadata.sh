#!/usr/bin/env bash
# amdhsa.version is 1.2 in code objects of version 5 and of version 6.
#
# Guess: the metadata's version goes up with the code object's: 1.1, 1.2 and 1.3 for 4, 5 and 6.
# In fact: version 6 keeps 1.2; what tells it from 5 is the ABI version in the ELF header (2, 3, 4), which generic
#   targets such as gfx11-generic need: with -mcode-object-version=5 clang refuses them.
# Version: clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get ziglang==0.17.1
echo 'extern "C" __attribute__((global)) void k(int* p) { *p = 1; }' >k.cu
made() { packages/ziglang/zig clang -w -x hip --cuda-device-only --offload-arch=$2 -mcode-object-version=$1 -nogpulib -nogpuinc -O3 "${@:3}" k.cu >clang.log 2>&1; }
said() { made $1 $2 -S -o k.s && grep -A2 'amdhsa.version:' k.s | grep -oE '[0-9]+' | paste -sd.; }
abi() { made $1 $2 -S -o k.s && packages/ziglang/zig clang -target amdgcn-amd-amdhsa -mcpu=$2 -c k.s -o k.o && od -An -tu1 -j8 -N1 k.o | tr -d ' '; }
for it in 4:1.1:2 5:1.2:3 6:1.2:4; do
  IFS=: read -r version metadata header <<<"$it"
  holds "version $version: amdhsa.version" "$(said $version gfx90a)" "$metadata"
  holds "version $version: ABI version of the ELF header" "$(abi $version gfx90a)" "$header"
done
holds "gfx11-generic with version 5" "$(made 5 gfx11-generic -S -o k.s && echo compiled || echo refused)" "refused"
holds "gfx11-generic with version 6" "$(said 6 gfx11-generic)" "1.2"
exit $status
