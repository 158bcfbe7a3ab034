"""Metal's compute kernels, written in C++14 with words of its own (Metal Shading Language Specification 3.2)."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex.dialect import (
    CONSTANT,
    KERNEL,
    LOCAL,
    METAL_TYPES,
    WORK_GROUP,
    Annotations,
    Dialect,
    Grammar,
    LocalMemoryRules,
    PredefinedMacros,
)

_WORDS = (b"device", b"thread", b"vertex", b"fragment", b"ray_data", b"object_data")
_DIALECT = Dialect(
    "metal",
    Annotations(
        {**{word: word.decode() for word in _WORDS}, b"kernel": KERNEL, b"threadgroup": LOCAL, b"constant": CONSTANT},
        calls=(b"max_total_threads_per_threadgroup", b"required_threads_per_threadgroup"),
        plain_words=True,
    ),
    PredefinedMacros(
        absent=frozenset(("__CUDACC__", "__HIPCC__", "__OPENCL_VERSION__")),
        marking=frozenset(("__METAL_VERSION__", "__METAL__")),
    ),
    Grammar(METAL_TYPES, raw_strings=False, decorated=True),
    LocalMemoryRules(regex(r".*"), parameters=True, folds_scalars=True),
    WORK_GROUP,
    device_only=True,
)

METAL = Language(
    "metal",
    "Metal",
    _DIALECT,
    suffixes=(".metal",),
    units=(".metal",),
    editors=("metal",),
    flags=("metal",),
    run_by=("apple",),
    marks=(b"<metal_stdlib>", b"[[kernel", b"[[thread_position_in", b"[[thread_index_in", b"[[threadgroup_position_in"),
    launch_bounds=True,
    bounds="max_total_threads_per_threadgroup",
    by_driver=True,
)
