"""SYCL: C++ whose kernels are lambdas that host code hands to `parallel_for`."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex.dialect import (
    CUDA,
    OF_GROUP,
    SYCL_TYPES,
    Dialect,
    Grammar,
    LocalMemoryRules,
    PredefinedMacros,
)

_NAMESPACES = r"(?:::)?(?:(?:cl::)?(?:sycl|oneapi|ext|intel|experimental|detail|opencl|syclex|sycl_ext|intelex)::)*"
# What a compiler may take local memory for without a word of it in the text, or for as much as its template says.
_HIDDEN = regex(
    rf"{_NAMESPACES}(?:(?:reduce|(?:in|ex)clusive_scan|sort|sort_key_value|predicate|radix_sort)_over_group|joint_\w+"
    r"|(?:any|all|none)_of(?:_group)?|group_\w*broadcast\w*|group_(?:any|all|none)_of|group_(?:reduce|\w+_scan)"
    r"|group_(?:load|store)|group_local_memory\w*|work_group_static|work_group_memory|get_work_group_scratch_memory"
    r"|parallel_for_work_(?:group|item)|(?:shift_group|permute_group|select_from_group)\w*|async_work_group_copy)"
    r"|\.(?:async_work_group_copy|parallel_for_work_item)"
)
# What SYCL and C++ build in: none declares local memory but what is hidden.
_HARMLESS = regex(
    rf"(?!{_HIDDEN.pattern}\Z)(?:{_NAMESPACES}(?:(?<=::)\w[\w:]*|(?:native|half_precision|access|rsqrt|vec|marray|range_[123]_)\w*)"
    r"|std::\w[\w:]*|__\w+|atomic(?:_ref|_fence|_\w+)?|group_barrier|dpct::(?!group|sort)\w[\w:]*"
    r"|(?:dpct::)?atomic_\w+|bit_cast|(?:address_space|reinterpret_pointer|static_address|dynamic_address)\w*cast"
    r"|printf|assert|memcpy|memset|static_cast|reinterpret_cast|const_cast|dynamic_cast|sizeof|alignof|decltype|noexcept|typeof"
    r"|u?(?:char|short|int|long|longlong)(?:[2348]|16)?|(?:float|double|half)(?:[2348]|16)?|bool|size_t|ptrdiff_t|unsigned|signed"
    r"|u?int(?:8|16|32|64)_t|uint|uchar|ushort|ulong|f?(?:min|max|abs|dim|mod|ma)f?|clamp|select|mad|dot|cross|length|distance"
    r"|normalize|mix|step|sign|degrees|radians|mul_hi|mad_hi|mul24|mad24|popcount|clz|ctz|rotate|abs_diff|add_sat|sub_sat|hadd|rhadd"
    r"|(?:sqrt|rsqrt|cbrt|hypot|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|pown|powr|sin|cos|tan|sincos|sinpi|cospi"
    r"|tanpi|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|lgamma|tgamma|floor|ceil|trunc|round|rint"
    r"|nearbyint|ldexp|frexp|logb|ilogb|modf|remainder|remquo|nextafter|copysign|fabs|isnan|isinf|isfinite|signbit|nan"
    r"|fma|fmin|fmax|fmod|fdim|recip|divide)f?|id|item|range|nd_item|group|sub_group|multi_ptr|local_ptr|global_ptr|vec|marray"
    r"|\.(?:get_\w+|get|barrier|load|store|(?:fetch|compare_exchange)_\w+|exchange|wait\w*|combine|[xyzwrgba]{1,4}|s[0-9A-Fa-f]"
    r"|lo|hi|odd|even|convert|as|size|byte_size|max_size|length|empty|c?r?(?:begin|end)|data|front|back|leader|prefetch"
    r"|mem_fence|shuffle\w*|real|imag|first|second|swap|at|count|read|write|sample|operator\W+))"
)

_DIALECT = Dialect(
    "sycl",
    CUDA.annotations,
    PredefinedMacros(
        absent=frozenset(
            ["__CUDACC__", "__NVCC__", "__HIPCC__", "__HIP__", "__OPENCL_VERSION__", "__OPENCL_C_VERSION__"]
        )
    ),
    Grammar(SYCL_TYPES, lambda_launches=(b"parallel_for",), range_types=True),
    LocalMemoryRules(_HARMLESS, _HIDDEN, moves_arrays=False),
    OF_GROUP,
    marks_device_code=False,
)

SYCL = Language(
    "sycl",
    "SYCL",
    _DIALECT,
    suffixes=(".sycl", ".dp.cpp"),
    units=(),
    editors=("sycl",),
    flags=(),
    run_by=("intel",),
    marks=(b"sycl/sycl.hpp", b"CL/sycl.hpp"),
    needs=(b"parallel_for",),
    headers=regex(r"(?:sycl|CL)/sycl\.hpp\Z"),
    told_by_headers=True,
    resizes=False,
    sized_at_launch=True,
    fastest_last=True,
    counts_local=False,
    width_attribute="[[sycl::reqd_sub_group_size(N)]]",
)
