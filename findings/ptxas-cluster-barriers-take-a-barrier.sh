#!/usr/bin/env bash
# barrier.cluster.wait counts as one of the block's barriers, unless the kernel requires a cluster.
#
# Guess: the barrier of a cluster is a resource of its own: "used 0 barriers", as for a kernel without bar.sync.
# In fact: "used 1 barriers" on sm_90, sm_100 and sm_120, as one bar.sync 0 does; beside bar.sync 0 it stays one, and
#   .arrive alone takes none. With .explicitcluster, which nvcc writes for __cluster_dims__, the guess holds: what may
#   be launched without a cluster needs a barrier of the block in place of its cluster's; .reqnctapercluster alone
#   does not tell.
# Version: ptxas 13.0.88.
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88
ptxas=packages/nvidia/cu13/bin/ptxas
cat >k.ptx <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry none(.param .u64 p) { .reg .u64 a; ld.param.u64 a, [p]; st.global.u32 [a], 1; st.global.u32 [a + 4], 1; ret; }
.visible .entry cluster(.param .u64 p) { .reg .u64 a; ld.param.u64 a, [p]; st.global.u32 [a], 1; barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [a + 4], 1; ret; }
.visible .entry arrives(.param .u64 p) { .reg .u64 a; ld.param.u64 a, [p]; st.global.u32 [a], 1; barrier.cluster.arrive; st.global.u32 [a + 4], 1; ret; }
.visible .entry sized(.param .u64 p) .reqnctapercluster 2, 1, 1 { .reg .u64 a; ld.param.u64 a, [p]; st.global.u32 [a], 1; barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [a + 4], 1; ret; }
.visible .entry required(.param .u64 p) .explicitcluster { .reg .u64 a; ld.param.u64 a, [p]; st.global.u32 [a], 1; barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [a + 4], 1; ret; }
.visible .entry block(.param .u64 p) { .reg .u64 a; ld.param.u64 a, [p]; st.global.u32 [a], 1; bar.sync 0; st.global.u32 [a + 4], 1; ret; }
.visible .entry both(.param .u64 p) { .reg .u64 a; ld.param.u64 a, [p]; st.global.u32 [a], 1; barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [a + 4], 1; bar.sync 0; st.global.u32 [a + 8], 1; ret; }
END
barriers() { awk -F"'" -v kernel="$1" '/Compiling entry/ {this = $2} /Used/ && this == kernel {match($0, /[0-9]+ barriers/); print substr($0, RSTART) + 0}' ptxas.log; }
for target in sm_90 sm_100 sm_120; do
  "$ptxas" -v -arch=$target k.ptx -o k.cubin 2>ptxas.log
  holds "$target: none, cluster, block, both" "$(barriers none) $(barriers cluster) $(barriers block) $(barriers both)" "0 1 1 1"
  holds "$target: arrives, .reqnctapercluster, .explicitcluster" "$(barriers arrives) $(barriers sized) $(barriers required)" "0 1 0"
done
exit $status
