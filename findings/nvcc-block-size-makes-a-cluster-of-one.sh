#!/usr/bin/env bash
# __block_size__((256, 1, 1)) makes blocks clusters: .reqnctapercluster 1, 1, 1 and .blocksareclusters.
#
# Guess: it is __launch_bounds__ with an exact size: .reqntid 256, 1, 1 and nothing else.
# In fact: it writes all three, as it does where a cluster of 2 x 1 x 1 is asked for, so that the kernel has a cluster
#   size, one block, without having named one. On sm_80, which has no clusters, the attribute is an error.
# Version: nvcc and ptxas 13.0.88.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
PATH="$here/packages/nvidia/cu13/bin:$PATH"
cat >k.cu <<'END'
extern "C" __global__ void __block_size__((256, 1, 1)) sized(int* p) { p[0] = 1; }
extern "C" __global__ void __block_size__((256, 1, 1), (2, 1, 1)) clustered(int* p) { p[0] = 1; }
extern "C" __global__ void __launch_bounds__(256) bounded(int* p) { p[0] = 1; }
END
nvcc -arch=sm_90 -ptx k.cu -o k.ptx
of() { awk -v kernel=" $1(" '/\.entry/ {this = $0} index(this, kernel) && /^\./ && !/entry/ {print}' k.ptx | paste -sd' '; }
holds "__block_size__((256, 1, 1))" "$(of sized)" ".blocksareclusters .reqntid 256, 1, 1 .reqnctapercluster 1, 1, 1"
holds "__block_size__((256, 1, 1), (2, 1, 1))" "$(of clustered)" ".blocksareclusters .reqntid 256, 1, 1 .reqnctapercluster 2, 1, 1"
holds "__launch_bounds__(256)" "$(of bounded)" ".maxntid 256, 1, 1"
if nvcc -arch=sm_80 -ptx k.cu -o k.ptx >nvcc.log 2>&1; then on80="$(of sized)"; else on80="refused"; fi
holds "on sm_80" "$on80" "refused"
exit $status
