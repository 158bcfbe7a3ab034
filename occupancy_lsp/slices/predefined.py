"""Macros that no header of a library defines: those of compilers, of systems, and of what CUDA and HIP include first.

Data: reserved names that are not among these (`__USE_DOUBLE__`) may be anybody's.
"""

from __future__ import annotations

from occupancy_lsp.core.regex import regex

_COMPILERS = "GNU clang llvm NV nv PGI INTEL ICC ICL IBM MSVC MINGW CYGWIN EDG SYCL DPCPP OPENCL OPENMP SANITIZE"
_DEVICES = "CUDA cuda HIP hip AMD amd GFX gfx PTX ptx libnvvm cccl CCCL"
_SYSTEMS = "APPLE MACH linux unix ANDROID QNX FreeBSD NetBSD OpenBSD sun BSD GLIBC ELF PIC PIE pic pie LP64 ILP32"
_PROCESSORS = "x86 i386 i486 i586 i686 SSE AVX FMA BMI F16C arm ARM aarch64 AARCH power POWER PPC ppc riscv mips s390"
_LANGUAGE = (
    "cplusplus cpp CPP has_ STDC STRICT SIZEOF EXCEPT OPTIMIZE NO_ FAST_MATH FINITE BYTE_ORDER ORDER_ FLOAT_ CHAR INT"
    " UINT LONG SHRT SCHAR WCHAR PTRDIFF DBL FLT LDBL VERSION IEEE builtin attr FILE__ LINE__ DATE__ TIME__ TIMESTAMP__"
    " COUNTER__ BASE_FILE__ INCLUDE_LEVEL__ VA_ func__ FUNCTION__ PRETTY_FUNCTION__"
)
_WORDS = (
    "host device global shared constant managed launch_bounds grid_constant cluster_dims forceinline noinline inline"
    " restrict align volatile const asm declspec stdcall cdecl thread typeof extension"
)
_OF_LIBRARIES = (
    "WIN MSC MSVC M_ GLIBCXX LIBCPP LIBCUDACXX CCCL CUDA NVHPC OPENMP OPENACC GNU_ POSIX XOPEN ISOC BSD LARGEFILE"
    " DEFAULT_SOURCE FILE_OFFSET LP64 ILP32 STD VSTD THREAD_SAFE REENTRANT DLL MT CRT USE_MATH ITERATOR HAS_"
)


def _any(words: str) -> str:
    return "|".join(words.split())


_PREDEFINED = regex(
    rf"__(?:{_any(_COMPILERS)}|{_any(_DEVICES)}|{_any(_SYSTEMS)}|{_any(_PROCESSORS)}|{_any(_LANGUAGE)})\w*"
    rf"|__(?:{_any(_WORDS)})_*|_(?:{_any(_OF_LIBRARIES)})\w*|_DEBUG|NDEBUG|WIN(?:32|64)"
    r"|defined|true|false|CUDART_VERSION|HIP_VERSION\w*"
)


def is_predefined(macro: bytes) -> bool:
    return _PREDEFINED.fullmatch(macro.decode("utf-8", "replace")) is not None
