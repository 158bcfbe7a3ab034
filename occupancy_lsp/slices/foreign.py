"""Headers of libraries that are not there, and what they may say: data, by how such libraries name things.

Of a header that is not known, anything may come.
"""

from __future__ import annotations

import re

from occupancy_lsp.core.regex import regex

# What an #include names, and the names that may come from it: macros, namespaces, functions, types.
_LIBRARIES = {
    r"(?:torch|ATen|c10|caffe2)/.*": r"torch|at|c10|caffe2|py|(?:TORCH|AT|C10|CAFFE2?|PYBIND11)_\w+",
    r"pybind11/.*|Python\.h|numpy/.*": r"pybind11|py|(?:PYBIND11|NPY|PY)_\w+|Py\w*",
    r"cu(?:blas|sparse|solver)\w*\.h|library_types\.h":
        r"cu(?:blas|sparse|solver)\w*|CU(?:BLAS|SPARSE|SOLVER)\w+|CUDA_[RC]_\w+",
    r"cu(?:fft|rand|dnn|tensor|pti)\w*\.h|cudnn_frontend.*":
        r"cu(?:fft|rand|dnn|tensor|pti)\w*|CU(?:FFT|RAND|DNN|TENSOR|PTI|pti)\w+",
    r"nccl\w*\.h|nvshmem\w*\.h|mpi\.h|nvml\.h": r"(?:nccl|NCCL|nvshmem|NVSHMEM|mpi|MPI|OMPI|nvml|NVML)\w*",
    r"nvtx3?/.*|nvToolsExt\w*\.h|npp\w*\.h|nvjpeg\w*\.h": r"(?:nvtx|NVTX|npp|Npp|NPP|nvjpeg|NVJPEG)\w*",
    r"opencv2?/.*": r"cv\w*|CV_\w+",
    r"boost/.*": r"boost|BOOST_\w+",
    r"(?:unsupported/)?Eigen/.*": r"Eigen|EIGEN_\w+",
    r"tvm/.*": r"tvm|(?:TVM|DLPACK)_\w+|k?DL[A-Z]\w*",
    r"(?:gtest|gmock|benchmark)/.*": r"testing|benchmark|(?:GTEST|GMOCK|BENCHMARK)_\w+",
    r"(?:glog|gflags|absl|folly)/.*": r"google|gflags|absl|folly|(?:ABSL|FLAGS|DEFINE)_\w+|D?CHECK\w*|D?V?LOG\w*",
    r"(?:fmt|spdlog|nlohmann|tbb|yaml-cpp)/.*": r"fmt|spdlog|nlohmann|tbb|YAML|(?:FMT|SPDLOG|TBB|JSON)_\w+",
    r"(?:GL|GLES\d?|GLFW|EGL|X11|SDL2?|vulkan)/.*|glew\.h|freeglut\.h": r"(?:gl|GL|egl|EGL|X|SDL|vk|VK)\w*",
    r"nvrtc\.h|cuda_profiler_api\.h": r"nvrtc\w*|NVRTC\w*|cudaProfiler\w*",
    r".*\.pb\.h|google/protobuf/.*": r"google|(?:GOOGLE|PROTOBUF)_\w+",  # for hosts, made of a `.proto`
    r"dmlc/.*": r"dmlc|DMLC_\w+|D?CHECK\w*|D?V?LOG\w*",
    r"(?:cute|cutlass)/.*": r"cute|cutlass|(?:CUTE|CUTLASS)_\w+",
    r"format|expected|print|generator|mdspan|flat_map|flat_set|stacktrace|spanstream|stdfloat": r"std",  # of newer C++
    r"(?:rmm|cuco|raft|cudf|cuvs)/.*": r"rmm|cuco|raft|cudf|cuvs|(?:RMM|CUCO|RAFT|CUDF|CUVS)_\w+",
}  # fmt: skip
_KNOWN = tuple((regex(header), regex(names)) for header, names in _LIBRARIES.items())


# Headers of the toolkit and of C++ that those of libraries include, which no kernel could do without: `__half` may come
# so.
_OF_TORCH = ("cstdint", "limits", "algorithm", "type_traits", "utility", "tuple", "cuda_fp16.h", "cuda_bf16.h")
_INCLUDED = {
    r"torch/(?:extension|torch|script|types|all)\.h|ATen/(?:ATen|Dispatch|AccumulateType)\.h|(?:ATen|c10)/cuda/.*": (
        *_OF_TORCH,
        "cuda.h",
    ),
    r"(?:torch|ATen|c10)/.*": _OF_TORCH,
    r"cublas\w*\.h|cusolverDn\.h": ("cuComplex.h", "cuda_fp16.h", "cuda_bf16.h", "library_types.h"),
    r"cusparse\w*\.h": ("cuComplex.h", "cuda_fp16.h", "library_types.h"),
    r"cufft\w*\.h": ("cuComplex.h", "library_types.h"),
}


# Libraries of hosts, which know nothing of CUDA, and C++'s own headers.
_OF_HOSTS = regex(
    r"(?:gtest|gmock|benchmark|glog|gflags|absl|fmt|spdlog|nlohmann|yaml-cpp|pybind11|GL|GLES\d?|GLFW|EGL|X11|SDL2?)/.*"
    r"|Python\.h|mpi\.h|omp\.h|[a-z_]+"
)


def is_of_hosts(header: str) -> bool:
    """Whether nothing of the toolkit comes with it."""
    return _OF_HOSTS.fullmatch(header) is not None


def included_by(header: str) -> tuple[str, ...]:
    """What of the toolkit and of C++ comes with a library's header."""
    return next((found for known, found in _INCLUDED.items() if re.fullmatch(known, header)), ())


def names_from(header: str) -> re.Pattern[str] | None:
    """What the names look like that may come from it; None: they may be any."""
    return next((names for known, names in _KNOWN if known.fullmatch(header)), None)


# Names that C, C++ and CUDA have for themselves, and the headers that declare them, which one that is missing may
# include.
_STANDARD = {
    r"u?int(?:_fast|_least)?(?:8|16|32|64)_t|u?int(?:max|ptr)_t|U?INT(?:8|16|32|64)_(?:MAX|MIN)": "cstdint",
    r"FLT_[A-Z]\w*|DBL_[A-Z]\w*": "cfloat",
    r"CHAR_BIT|U?(?:S?CHAR|SHRT|INT|LONG|LLONG)_(?:MAX|MIN)": "climits",
    r"std::numeric_limits": "limits",
    r"std::(?:min|max|clamp|swap)": "algorithm",
    r"std::(?:is_\w+|enable_if(?:_t)?|conditional(?:_t)?|decay(?:_t)?|remove_\w+|\w+_constant|\w+_type)": "type_traits",
    r"std::(?:pair|make_pair|move|forward|declval|index_sequence|integer_sequence|make_index_sequence)": "utility",
    r"std::(?:tuple\w*|make_tuple|get|tie)": "tuple",
    r"std::array": "array",
    r"std::complex": "complex",
    r"__half2?(?:_raw)?": "cuda_fp16.h",
    r"__nv_bfloat162?(?:_raw)?": "cuda_bf16.h",
    r"__nv_fp8\w*": "cuda_fp8.h",
}


def standard_header(name: str) -> str:
    """The one that declares it; "": it is none of the language's own."""
    return next((header for names, header in _STANDARD.items() if re.fullmatch(names, name)), "")


# Of PyTorch's headers those that have by themselves what kernels name: all of them together take a compiler a minute.
_SMALL = {
    r"(?:torch|at)::(?:(?:Generic)?(?:Packed)?TensorAccessor(?:Base)?(?:32|64)?|(?:Restrict|Default)PtrTraits)":
        "ATen/core/TensorAccessor.h",
    r"(?:c10|at|torch)::Half": "c10/util/Half.h",
    r"(?:c10|at|torch)::BFloat16": "c10/util/BFloat16.h",
    r"at::(?:opmath_type|OpMathType)": "ATen/OpMathType.h",
}  # fmt: skip
# What the great ones say of these names.
SMALL_PRELUDE = "namespace at {} namespace torch { using namespace at; }"


def small_header(name: str) -> str:
    """The one of a library that declares it and little else; "": none is known."""
    return next((header for names, header in _SMALL.items() if re.fullmatch(names, name)), "")


_CONFIGURATION = regex(r"conf|setting|option|param|defs|define|feature|build|tun(?:e|ing)", re.IGNORECASE)


def is_configuration(header: str) -> bool:
    """Whether its name says that it is there to define macros."""
    return _CONFIGURATION.search(header.rpartition("/")[2]) is not None


# What types of CUDA's libraries are: as their headers have it, pointers to what nobody sees, or enumerations.
_HANDLES = regex(
    r"cu(?:blas(?:Lt)?|sparse|solver(?:Dn|Sp|Mg|Rf)|dnn|tensor)Handle_t|curandGenerator_t|ncclComm_t"
    r"|cudnn\w*(?:Descriptor|Plan)_t"
)
_ENUMERATIONS = regex(r"cu(?:blas|sparse|solver|dnn|tensor|rand)Status_t|ncclResult_t|cufftResult")


def type_as(name: str) -> str:
    """A declaration of a library's type that a kernel cannot use but whose size is known, or else nothing of it."""
    if _HANDLES.fullmatch(name):
        return f"typedef struct {name}_ *{name};"
    return f"enum {name} : int;" if _ENUMERATIONS.fullmatch(name) else f"struct {name};"


# Names in what CMake makes a header of, where `@A@` and `${A}` stand for texts that are not known.
_WORD = regex(r"(?:[A-Za-z_]\w*|(?<=\w)\d+|@\w+@|\$\{\w+\})+")
_FILLED = regex(r"@\w+@|\$\{\w+\}")


def names_made(template: str) -> re.Pattern[str] | None:
    """What the names look like that a header may define which CMake makes of this text; None: they may be any, because
    it includes others, or whole lines of it are filled in."""
    plain = re.sub(r"/\*.*?\*/|//[^\n]*|\\\r?\n", " ", template, flags=re.DOTALL)
    for line in plain.splitlines():
        if re.match(r"\s*#\s*include\b", line) or _FILLED.fullmatch(line.strip()):
            return None
    words = {it for it in _WORD.findall(plain) if not _FILLED.fullmatch(it)}
    forms = ("".join(r"\w*" if part is None else part for part in _cut(it)) for it in sorted(words))
    return re.compile("|".join(forms) or r"(?!)")


def _cut(word: str) -> list[str | None]:
    """A name in parts: None where a text is filled in."""
    found: list[str | None] = []
    at = 0
    for match in _FILLED.finditer(word):
        found += [word[at : match.start()], None]
        at = match.end()
    return [*found, word[at:]]


# The types for which PyTorch's macros compile what they are given, by their names; those of its own headers aside.
_FLOATING = ("float", "double")
_INTEGRAL = ("unsigned char", "signed char", "int", "__INT64_TYPE__", "short")
_DISPATCHED = {
    r"AT_DISPATCH_(?:CASE_)?FLOATING_TYPES(?:_AND\w*)?": ("scalar_t", _FLOATING),
    r"AT_DISPATCH_(?:CASE_)?INTEGRAL_TYPES(?:_AND\w*)?": ("scalar_t", _INTEGRAL),
    r"AT_DISPATCH_(?:CASE_)?ALL_TYPES(?:_AND\w*)?": ("scalar_t", (*_FLOATING, *_INTEGRAL)),
    r"AT_DISPATCH_(?:CASE_)?INDEX_TYPES": ("index_t", ("int", "__INT64_TYPE__")),
}  # fmt: skip


def types_dispatched(macro: str) -> list[tuple[str, str]]:
    """What a macro of PyTorch's calls the type, and each type that it is; []: it is none that is known."""
    for pattern, (name, types) in _DISPATCHED.items():
        if re.fullmatch(pattern, macro):
            return [(name, it) for it in types]
    return []
