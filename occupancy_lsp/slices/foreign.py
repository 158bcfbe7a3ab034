"""Headers of libraries that are not there, and what they may say: data, by how such libraries name things.

Of a header that is not known, anything may come.
"""

from __future__ import annotations

import re

# What an #include names, and the names that may come from it: macros, namespaces, functions, types.
_LIBRARIES = {
    r"(?:torch|ATen|c10|caffe2)/.*": r"torch|at|c10|caffe2|py|(?:TORCH|AT|C10|CAFFE2?|PYBIND11)_\w+",
    r"pybind11/.*|Python\.h|numpy/.*": r"pybind11|py|(?:PYBIND11|NPY|PY)_\w+|Py\w*",
    r"cu(?:blas|sparse|solver)\w*\.h|library_types\.h": r"cu(?:blas|sparse|solver)\w*|CU(?!DA)[A-Z]\w+|CUDA_[RC]_\w+",
    r"cu(?:fft|rand|dnn|tensor|pti)\w*\.h|cudnn_frontend.*": r"cu(?:fft|rand|dnn|tensor|pti)\w*|CU(?!DA)[A-Z]\w+",
    r"nccl\w*\.h|nvshmem\w*\.h|mpi\.h|nvml\.h": r"(?:nccl|NCCL|nvshmem|NVSHMEM|mpi|MPI|OMPI|nvml|NVML)\w*",
    r"nvtx3?/.*|nvToolsExt\w*\.h|npp\w*\.h|nvjpeg\w*\.h": r"(?:nvtx|NVTX|npp|Npp|NPP|nvjpeg|NVJPEG)\w*",
    r"opencv2?/.*": r"cv\w*|CV_\w+",
    r"boost/.*": r"boost|BOOST_\w+",
    r"(?:gtest|gmock|benchmark)/.*": r"testing|benchmark|(?:GTEST|GMOCK|BENCHMARK)_\w+",
    r"(?:glog|gflags|absl|folly)/.*": r"google|gflags|absl|folly|(?:ABSL|FLAGS|DEFINE)_\w+|D?CHECK\w*|D?V?LOG\w*",
    r"(?:fmt|spdlog|nlohmann|tbb|yaml-cpp)/.*": r"fmt|spdlog|nlohmann|tbb|YAML|(?:FMT|SPDLOG|TBB|JSON)_\w+",
    r"(?:GL|GLES\d?|GLFW|EGL|X11|SDL2?|vulkan)/.*|glew\.h|freeglut\.h": r"(?:gl|GL|egl|EGL|X|SDL|vk|VK)\w*",
    r"nvrtc\.h|cuda_profiler_api\.h": r"nvrtc\w*|NVRTC\w*|cudaProfiler\w*",
    r"(?:cute|cutlass)/.*": r"cute|cutlass|(?:CUTE|CUTLASS)_\w+",
    r"(?:rmm|cuco|raft|cudf|cuvs)/.*": r"rmm|cuco|raft|cudf|cuvs|(?:RMM|CUCO|RAFT|CUDF|CUVS)_\w+",
}  # fmt: skip
_KNOWN = tuple((re.compile(header), re.compile(names)) for header, names in _LIBRARIES.items())


def names_from(header: str) -> re.Pattern[str] | None:
    """What the names look like that may come from it; None: they may be any."""
    return next((names for known, names in _KNOWN if known.fullmatch(header)), None)
