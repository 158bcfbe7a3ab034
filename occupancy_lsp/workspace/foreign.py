"""Headers that a compiler or a toolkit brings: a file of the workspace that happens to be called so is not meant."""

from __future__ import annotations

_C = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit
stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
"""
_CXX = """
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits
clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint
cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype deque exception execution expected filesystem flat_map
flat_set format forward_list fstream functional future generator initializer_list iomanip ios iosfwd iostream istream
iterator latch limits list locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print
queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span spanstream sstream
stack stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream syncstream system_error thread
tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version
"""
_SYSTEM = """
alloca.h arm_neon.h byteswap.h cpuid.h cxxabi.h dirent.h dlfcn.h elf.h emmintrin.h endian.h execinfo.h fcntl.h
features.h getopt.h ifaddrs.h immintrin.h intrin.h io.h libgen.h malloc.h memory.h mpi.h netdb.h numa.h numaif.h omp.h
poll.h pthread.h pwd.h sched.h strings.h termios.h ucontext.h unistd.h unwind.h windows.h x86intrin.h xmmintrin.h
"""
_TOOLKIT = """
builtin_types.h channel_descriptor.h common_functions.h cooperative_groups.h crt/host_config.h cublas.h cublasLt.h
cublasXt.h cublas_api.h cublas_v2.h cuComplex.h cuda.h cudaD3D11.h cudaEGL.h cudaGL.h cudaProfiler.h cudaTypedefs.h
cudaVDPAU.h cuda_awbarrier.h cuda_awbarrier_helpers.h cuda_bf16.h cuda_bf16.hpp cuda_device_runtime_api.h
cuda_egl_interop.h cuda_fp16.h cuda_fp16.hpp cuda_fp4.h cuda_fp6.h cuda_fp8.h cuda_fp8.hpp cuda_gl_interop.h
cuda_occupancy.h cuda_pipeline.h cuda_pipeline_primitives.h cuda_profiler_api.h cuda_runtime.h cuda_runtime_api.h
cuda_stdint.h cuda_surface_types.h cuda_texture_types.h cuda_vdpau_interop.h cudalibxt.h cudnn.h cufft.h cufftXt.h
cufile.h cupti.h curand.h curand_kernel.h curand_mtgp32_kernel.h curand_uniform.h curand_normal.h cusolverDn.h
cusolverMg.h cusolverRf.h cusolverSp.h cusolver_common.h cusparse.h cusparseLt.h cutensor.h device_atomic_functions.h
device_double_functions.h device_functions.h device_launch_parameters.h device_types.h driver_functions.h
driver_types.h fatbinary_section.h host_config.h host_defines.h library_types.h math_constants.h math_functions.h
mma.h nccl.h nppdefs.h npp.h nvJitLink.h nvToolsExt.h nvfunctional nvgraph.h nvjpeg.h nvml.h nvrtc.h
sm_20_atomic_functions.h sm_30_intrinsics.h sm_32_intrinsics.h sm_35_intrinsics.h sm_60_atomic_functions.h
surface_functions.h surface_indirect_functions.h texture_fetch_functions.h texture_indirect_functions.h
texture_types.h vector_functions.h vector_types.h
hipblas.h hipcub.hpp hipfft.h hiprand.h hiprand_kernel.h hipsolver.h hipsparse.h miopen.h rccl.h rocblas.h rocfft.h
rocrand.h rocrand_kernel.h rocsolver.h rocsparse.h opencl-c.h opencl-c-base.h
"""
_NAMES = frozenset((*(f"{name}.h" for name in _C.split()), *_CXX.split(), *_SYSTEM.split(), *_TOOLKIT.split()))
_FOLDERS = """
CL/ arpa/ bits/ cooperative_groups/ crt/ cub/ hip/ hipblas/ hipcub/ hipfft/ hiprand/ hipsparse/ linux/ mach/ net/
netinet/ nv/ nvtx3/ rccl/ rocblas/ rocfft/ rocprim/ rocrand/ rocthrust/ sycl/ sys/ thrust/
"""
_IN_FOLDERS = tuple(_FOLDERS.split())
_OF_CUDA = "cuda/"  # libcu++: what it means to be included has no suffix; many projects have a folder of that name
_WITH_KERNELS = ("cub/", "thrust/")


def is_foreign(text: str) -> bool:
    """`text`: what an include names, with slashes."""
    if text.startswith(_OF_CUDA):
        return "." not in text or "/__" in text
    return text in _NAMES or text.startswith(_IN_FOLDERS)


def may_take_at_launch(text: str) -> bool:
    """Whether templates of kernels may come from what an include names, if it is no file of the workspace, that take
    shared memory at launch: those of CUDA's own headers are in CUB and Thrust (as of CUDA 13.0)."""
    return not is_foreign(text) or text.startswith(_WITH_KERNELS)
