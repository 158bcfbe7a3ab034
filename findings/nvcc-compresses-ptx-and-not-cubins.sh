#!/usr/bin/env bash
# A fat binary of nvcc 13 has its PTX compressed and its cubins not, unless it is relocatable.
#
# Guess: compression is on by default, so everything in a fat binary is compressed; or only a flag asks for it.
# In fact: by default, and in --compress-mode=balance and speed, only the PTX is, by zstd or LZ4; =size and -Xfatbin
#   -compress-all compress cubins too, to a tenth here, and so does -dc without being asked. A search for ELF headers
#   in an object file finds kernels in the one and none in the other.
# Version: nvcc and fatbinary 13.0.88.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
python3 - >k.cu <<'END'
for i in range(20):
    print(f'extern "C" __global__ void k{i}(int* p, int n) {{ __shared__ int t[{64 + i}]; t[threadIdx.x] = n; __syncthreads(); p[0] = t[n]; }}')
END
cat >parts.py <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
at, said = data.index(struct.pack("<I", 0xBA55ED50)), []
version, head, length = struct.unpack_from("<HHQ", data, at + 4)
at, end = at + head, at + head + length
while at < end:
    kind, _, head, size = struct.unpack_from("<HHIQ", data, at)
    flags = struct.unpack_from("<Q", data, at + 40)[0]
    said.append({1: "ptx", 2: "cubin"}[kind] + (" lz4" if flags & 0x2000 else " zstd" if flags & 0x8000 else " plain"))
    at += head + size
print(", ".join(sorted(said)))
END
parts() { nvcc -w -gencode arch=compute_90,code=[sm_90,compute_90] "$@" k.cu -o out; python3 parts.py out; }
holds "by default" "$(parts -fatbin)" "cubin plain, ptx zstd"
holds "balance" "$(parts -fatbin --compress-mode=balance)" "cubin plain, ptx zstd"
holds "speed" "$(parts -fatbin --compress-mode=speed)" "cubin plain, ptx lz4"
holds "size" "$(parts -fatbin --compress-mode=size)" "cubin zstd, ptx zstd"
holds "-Xfatbin -compress-all" "$(parts -fatbin -Xfatbin -compress-all)" "cubin zstd, ptx zstd"
holds "an object, -c" "$(parts -c)" "cubin plain, ptx zstd"
holds "an object, -dc" "$(parts -dc)" "cubin zstd, ptx zstd"
exit $status
