"""A compiler's own first error → what a person can do about it, where the text of the error tells.

Which package has a header: the contents of NVIDIA's wheels and of RAPIDS', read in November 2026. Those of CUDA 13 have
no number in their names, except where the library has a version of its own.
"""

from __future__ import annotations

import re

from occupancy_lsp.core.regex import regex

# gcc, clang, cl; the front end of nvcc.
_MISSING = regex(
    r"""'?([\w./+-]+)'?(?::\ No\ such\ file\ or\ directory|'?\ file\ not\ found)
    |[Cc]annot\ open\ (?:source|include)\ file:?\ ["']([^"']+)["']""",
    re.VERBOSE,
)

# A header → the wheel of CUDA 13, that of CUDA 12.
_WHEELS = (
    (r"curand\w*\.h", "nvidia-curand", "nvidia-curand-cu12"),
    (r"(?:cublas|nvblas)\w*\.h", "nvidia-cublas", "nvidia-cublas-cu12"),
    (r"cusparseLt\.h", "nvidia-cusparselt-cu13", "nvidia-cusparselt-cu12"),
    (r"cusparse\w*\.h", "nvidia-cusparse", "nvidia-cusparse-cu12"),
    (r"cusolver\w*\.h", "nvidia-cusolver", "nvidia-cusolver-cu12"),
    (r"cufft\w*\.h", "nvidia-cufft", "nvidia-cufft-cu12"),
    (r"npp\w*\.h", "nvidia-npp", "nvidia-npp-cu12"),
    (r"nvjpeg\.h", "nvidia-nvjpeg", "nvidia-nvjpeg-cu12"),
    (r"cudnn\w*\.h", "nvidia-cudnn-cu13", "nvidia-cudnn-cu12"),
    (r"nccl\w*\.h", "nvidia-nccl-cu13", "nvidia-nccl-cu12"),
    (r"nvrtc\.h", "nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12"),
    (r"nvToolsExt\w*\.h|nvtx3/.*", "nvidia-nvtx", "nvidia-nvtx-cu12"),
    (r"cupti\w*\.h", "nvidia-cuda-cupti", "nvidia-cuda-cupti-cu12"),
    (r"cuda_profiler_api\.h|cudaProfiler\.h", "nvidia-cuda-profiler-api", "nvidia-cuda-profiler-api-cu12"),
    *((rf"{it}/.*", f"lib{it}-cu13", f"lib{it}-cu12") for it in ("raft", "rmm", "cudf")),
    (r"(?:cub|thrust|cuda)/.*", "nvidia-cuda-cccl", "nvidia-cuda-cccl-cu12"),
    (r"(?:cooperative_groups|cuda_runtime\w*|cuda_fp\w+|cuda_bf16|mma)(?:\.h|/.*)",
     "nvidia-cuda-runtime", "nvidia-cuda-runtime-cu12"),
)  # fmt: skip

# A header → who has it and no wheel of headers alone.
_PROJECTS = (
    (r"(?:hip|rocprim|hipcub|rocblas|hipblas|rocrand|hiprand|rocthrust|rocwmma)\b.*", "install ROCm, which has it"),
    (r"(?:cutlass|cute)/.*", "CUTLASS has it, often as a submodule: `git submodule update --init --recursive`"),
    (
        r"(?:torch|ATen|c10|caffe2)/.*",
        "install PyTorch in `.venv`, or name its environment in `occupancy.python`",
    ),
    (r"pybind11/.*", "`pip install pybind11` in `.venv`, or in the environment that `occupancy.python` names"),
    (r"Python\.h", "Python's development headers have it"),
    *(
        (pattern, f"the development package of {name} has it; name the folder in CPATH if it is no usual one")
        for pattern, name in (
            (r"opencv2/.*", "OpenCV"),
            (r"mpi\.h", "an MPI library"),
            (r"boost/.*", "Boost"),
            (r"Eigen/.*", "Eigen"),
            (r"(?:gtest|gmock)/.*", "GoogleTest"),
            (r"omp\.h", "OpenMP"),
            (r"(?:GL|GLFW)/.*", "OpenGL"),
            (r"hdf5\.h|H5\w+\.h", "HDF5"),
            (r"fmt/.*", "fmt"),
            (r"(?:glog|gflags)/.*", "glog and gflags"),
        )
    ),
)

_ASKS = regex(
    r"""(?:requires?|required|needs?|at\ least|support\ for|available\ (?:from|with|since))\b
      .*?[Cc]\+\+[ ]?(?:20)?(\d\d)
    |[Cc]\+\+[ ]?(?:20)?(\d\d)\b.*?\b(?:or\ (?:later|newer|higher|above|greater)|required|needed)""",
    re.VERBOSE,
)
# Words of C++20 that an older standard does not know.
_OF_CXX20 = regex(
    r"""(?:identifier|name)\ ["'](?:concept|requires|consteval|constinit|co_await|co_return|co_yield|char8_t)["']
    |"?std(?:::ranges|::numbers)?"?\ has\ no\ member\ "(?:span|bit_cast|remove_cvref(?:_t)?|type_identity(?:_t)?|numbers
      |ranges|views|source_location|count[lr]_(?:zero|one)|popcount|bit_(?:width|ceil|floor)|has_single_bit|endian
      |same_as|convertible_to|derived_from|integral|floating_point|(?:un)?signed_integral|invocable|midpoint|lerp
      |is_constant_evaluated|strong_ordering|partial_ordering|weak_ordering|jthread|barrier|latch|ssize|construct_at
      |format|atomic_ref|identity)"
    """,
    re.VERBOSE,
)
_LEAVE = regex(r"'?(--(?:expt-relaxed-constexpr|extended-lambda|expt-extended-lambda))\b")
_TARGET = regex(r"[Rr]equires \.target (sm_\d{2,3}[af]?)( or higher)?")
_STANDARDS = ("14", "17", "20", "23")


def remedy(error: str) -> str:
    """A sentence without its full stop; "": there is none that the text tells."""
    if header := missing_header(error):
        return remedy_for(header.removeprefix("./"))
    if target := _TARGET.search(error):
        return f"it is code for {target[1]}{target[2] or ''}: choose such a device"
    standard = standard_asked(error)
    return f"it needs `-std={standard}`" if standard else ""


def missing_header(error: str) -> str:
    """Its name, as the #include has it; "": the error is another one."""
    missing = _MISSING.search(error)
    return (missing[1] or missing[2]) if missing else ""


def leave_asked(error: str) -> str:
    """The flag by which nvcc would allow what it rejects, and which changes nothing else; "": it is no such error."""
    found = _LEAVE.search(error)
    return found[1] if found else ""


def standard_asked(error: str) -> str:
    """The C++ standard that the error is the lack of, `c++20`; "": it is not about one."""
    if _OF_CXX20.search(error):
        return "c++20"
    asked = _ASKS.search(error)
    number = (asked[1] or asked[2]) if asked else ""
    return f"c++{number}" if number in _STANDARDS else ""


def remedy_for(name: str) -> str:
    """What brings a header that is missing; "": it is not known."""
    for pattern, wheel, older in _WHEELS:
        if re.fullmatch(pattern, name):
            return f"`pip install {wheel}` has it (for CUDA 12, `{older}`)"
    return next((advice for pattern, advice in _PROJECTS if re.fullmatch(pattern, name)), "")
