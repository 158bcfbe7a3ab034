// Enough of HIP to compile a kernel for its counts where no ROCm is installed. What a full installation takes from
// AMD's device library is declared here only if it comes to the same instructions; the rest (mathematics, warp
// functions) is left out: a kernel that needs it does not compile, rather than giving counts of something else.
#pragma once

#if __has_include(<stdlib.h>)  // clang's own wrapper of <new> expects it
#include <stdlib.h>
#endif

#define __HIP_PLATFORM_AMD__ 1
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ inline __attribute__((always_inline))
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

// The second argument is of waves per SIMD, as in HIP's own header.
#define __launch_bounds_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define __launch_bounds_2(threads, waves) \
    __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define __launch_bounds_of(first, second, chosen, ...) chosen
#define __launch_bounds__(...) __launch_bounds_of(__VA_ARGS__, __launch_bounds_2, __launch_bounds_1, )(__VA_ARGS__)

typedef __SIZE_TYPE__ size_t;
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong;

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

#define __HIP_OPERATOR(op, type, name) \
    static __host__ __device__ inline name operator op(name a, name b) { \
        return name((type)(a.x op b.x), (type)(a.y op b.y), (type)(a.z op b.z)); \
    } \
    static __host__ __device__ inline name operator op(name a, type b) { return a op name(b); } \
    static __host__ __device__ inline name operator op(type a, name b) { return name(a) op b; } \
    static __host__ __device__ inline name& operator op##=(name& a, name b) { return a = a op b; } \
    static __host__ __device__ inline name& operator op##=(name& a, type b) { return a = a op name(b); }

// Three elements without room for a fourth, as HIP lays them out; clang's own vectors have that room.
#define __HIP_VECTOR_OF_3(type, name) \
    struct name { \
        type x, y, z; \
        name() = default; \
        __host__ __device__ constexpr explicit name(type all) : x(all), y(all), z(all) {} \
        __host__ __device__ constexpr name(type x, type y, type z) : x(x), y(y), z(z) {} \
    }; \
    __HIP_OPERATOR(+, type, name) \
    __HIP_OPERATOR(-, type, name) \
    __HIP_OPERATOR(*, type, name) \
    __HIP_OPERATOR(/, type, name)

#define __HIP_VECTORS(type, name) \
    typedef type name##1 __attribute__((ext_vector_type(1))); \
    typedef type name##2 __attribute__((ext_vector_type(2))); \
    __HIP_VECTOR_OF_3(type, name##3) \
    typedef type name##4 __attribute__((ext_vector_type(4))); \
    static __host__ __device__ inline name##2 make_##name##2(type x, type y) { return {x, y}; } \
    static __host__ __device__ inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
    static __host__ __device__ inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
__HIP_VECTORS(float, float)
__HIP_VECTORS(double, double)
__HIP_VECTORS(int, int)
__HIP_VECTORS(unsigned int, uint)
__HIP_VECTORS(char, char)
__HIP_VECTORS(unsigned char, uchar)
__HIP_VECTORS(short, short)
__HIP_VECTORS(unsigned short, ushort)
#undef __HIP_VECTORS
#undef __HIP_VECTOR_OF_3
#undef __HIP_OPERATOR

// The sizes of groups and grid as AMD's device library reads them from the implicit arguments (code object 5 and later).
#define __HIP_DIMENSION(name, offset, remainder) \
    static __device__ inline unsigned __hip_block_##name() { \
        auto implicit = (const __attribute__((address_space(4))) char*)__builtin_amdgcn_implicitarg_ptr(); \
        auto groups = *(const __attribute__((address_space(4))) unsigned*)(implicit + offset * 2); \
        bool whole = __builtin_amdgcn_workgroup_id_##name() < groups; \
        return *(const __attribute__((address_space(4))) unsigned short*)(implicit + (whole ? 12 : 18) + offset); \
    } \
    static __device__ inline unsigned __hip_grid_##name() { \
        auto implicit = (const __attribute__((address_space(4))) char*)__builtin_amdgcn_implicitarg_ptr(); \
        auto groups = *(const __attribute__((address_space(4))) unsigned*)(implicit + offset * 2); \
        auto left = *(const __attribute__((address_space(4))) unsigned short*)(implicit + 18 + offset); \
        return groups + (left > 0); \
    }
__HIP_DIMENSION(x, 0, 0)
__HIP_DIMENSION(y, 2, 2)
__HIP_DIMENSION(z, 4, 4)
#undef __HIP_DIMENSION

#define __HIP_COORDINATE(name, of_x, of_y, of_z) \
    struct __hip_##name { \
        __device__ unsigned get_x() const { return of_x; } \
        __device__ unsigned get_y() const { return of_y; } \
        __device__ unsigned get_z() const { return of_z; } \
        __declspec(property(get = get_x)) unsigned x; \
        __declspec(property(get = get_y)) unsigned y; \
        __declspec(property(get = get_z)) unsigned z; \
        __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); } \
    }; \
    extern const __device__ __attribute__((weak)) __hip_##name name;
__HIP_COORDINATE(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z())
__HIP_COORDINATE(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z())
__HIP_COORDINATE(blockDim, __hip_block_x(), __hip_block_y(), __hip_block_z())
__HIP_COORDINATE(gridDim, __hip_grid_x(), __hip_grid_y(), __hip_grid_z())
#undef __HIP_COORDINATE
struct __hip_warp_size {
#ifdef __AMDGCN_WAVEFRONT_SIZE  // before clang 22
    __device__ operator int() const { return __AMDGCN_WAVEFRONT_SIZE; }
#else
    __device__ operator int() const { return __builtin_amdgcn_wavefrontsize(); }
#endif
};
extern const __device__ __attribute__((weak)) __hip_warp_size warpSize;
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

static __device__ inline __attribute__((convergent)) void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
static __device__ inline void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
static __device__ inline void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }

#define __HIP_ATOMICS(type) \
    static __device__ inline type atomicAdd(type* at, type by) { \
        return __hip_atomic_fetch_add(at, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    } \
    static __device__ inline type atomicExch(type* at, type by) { \
        return __hip_atomic_exchange(at, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    }
#define __HIP_INTEGER_ATOMICS(type) \
    __HIP_ATOMICS(type) \
    static __device__ inline type atomicMax(type* at, type by) { \
        return __hip_atomic_fetch_max(at, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    } \
    static __device__ inline type atomicMin(type* at, type by) { \
        return __hip_atomic_fetch_min(at, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    } \
    static __device__ inline type atomicAnd(type* at, type by) { \
        return __hip_atomic_fetch_and(at, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    } \
    static __device__ inline type atomicOr(type* at, type by) { \
        return __hip_atomic_fetch_or(at, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    } \
    static __device__ inline type atomicXor(type* at, type by) { \
        return __hip_atomic_fetch_xor(at, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    } \
    static __device__ inline type atomicCAS(type* at, type expected, type by) { \
        __hip_atomic_compare_exchange_strong(at, &expected, by, __ATOMIC_RELAXED, __ATOMIC_RELAXED, \
                                             __HIP_MEMORY_SCOPE_AGENT); \
        return expected; \
    }
__HIP_INTEGER_ATOMICS(int)
__HIP_INTEGER_ATOMICS(unsigned int)
__HIP_INTEGER_ATOMICS(unsigned long long)
__HIP_ATOMICS(float)
__HIP_ATOMICS(double)
#undef __HIP_INTEGER_ATOMICS
#undef __HIP_ATOMICS

// The host's side, so that its code can be read; nothing is compiled from it, and only its names are checked.
typedef enum hipError_t { hipSuccess = 0, hipErrorInvalidValue, hipErrorNotReady, hipErrorUnknown } hipError_t;
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;
typedef struct ihipGraph* hipGraph_t;
typedef struct hipGraphExec* hipGraphExec_t;
typedef void* hipDeviceptr_t;
typedef int hipDevice_t;
enum hipMemcpyKind { hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice, hipMemcpyDefault };
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize, hipFuncAttributePreferredSharedMemoryCarveout };
enum hipDeviceAttribute_t {
    hipDeviceAttributeWarpSize,
    hipDeviceAttributeMultiprocessorCount,
    hipDeviceAttributeMaxThreadsPerBlock,
    hipDeviceAttributeMaxSharedMemoryPerBlock,
    hipDeviceAttributeClockRate,
    hipDeviceAttributeWallClockRate
};
#define hipStreamDefault 0  // also the null stream
enum hipFlags {  // macros there, of the type int
    hipStreamNonBlocking = 1,
    hipEventDefault,
    hipEventBlockingSync,
    hipEventDisableTiming,
    hipHostMallocDefault,
    hipHostMallocPortable,
    hipHostMallocMapped,
    hipHostMallocNonCoherent,
    hipHostRegisterDefault,
    hipMemAttachGlobal
};
typedef struct hipDeviceProp_t {
    char name[256], gcnArchName[256];
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, maxSharedMemoryPerMultiProcessor, memPitch;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, memoryClockRate;
    int memoryBusWidth, major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, computeMode;
    int concurrentKernels, pciDomainID, pciBusID, pciDeviceID, isMultiGpuBoard, canMapHostMemory, integrated;
    int cooperativeLaunch, managedMemory, concurrentManagedAccess, clockInstructionRate, asicRevision, asyncEngineCount;
} hipDeviceProp_t;
extern "C" {
unsigned __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = 0);
hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** args, size_t shared, hipStream_t stream);
const char* hipGetErrorString(hipError_t error);
const char* hipGetErrorName(hipError_t error);
}
#define __HIP_HOST(name) template <class... Arguments> hipError_t name(const Arguments&...);
__HIP_HOST(hipMalloc)
__HIP_HOST(hipMallocAsync)
__HIP_HOST(hipMallocManaged)
__HIP_HOST(hipMallocPitch)
__HIP_HOST(hipHostMalloc)
__HIP_HOST(hipHostRegister)
__HIP_HOST(hipHostUnregister)
__HIP_HOST(hipHostGetDevicePointer)
__HIP_HOST(hipHostFree)
__HIP_HOST(hipFree)
__HIP_HOST(hipFreeAsync)
__HIP_HOST(hipMemcpy)
__HIP_HOST(hipMemcpyAsync)
__HIP_HOST(hipMemcpy2D)
__HIP_HOST(hipMemcpyPeer)
__HIP_HOST(hipMemcpyPeerAsync)
__HIP_HOST(hipMemcpyToSymbol)
__HIP_HOST(hipMemcpyToSymbolAsync)
__HIP_HOST(hipMemcpyFromSymbol)
__HIP_HOST(hipMemset)
__HIP_HOST(hipMemsetAsync)
__HIP_HOST(hipMemGetInfo)
__HIP_HOST(hipMemPrefetchAsync)
__HIP_HOST(hipMemAdvise)
__HIP_HOST(hipGetSymbolAddress)
__HIP_HOST(hipGetSymbolSize)
__HIP_HOST(hipDeviceSynchronize)
__HIP_HOST(hipDeviceReset)
__HIP_HOST(hipDeviceGetAttribute)
__HIP_HOST(hipDeviceCanAccessPeer)
__HIP_HOST(hipDeviceEnablePeerAccess)
__HIP_HOST(hipDeviceDisablePeerAccess)
__HIP_HOST(hipGetDeviceProperties)
__HIP_HOST(hipGetLastError)
__HIP_HOST(hipPeekAtLastError)
__HIP_HOST(hipSetDevice)
__HIP_HOST(hipGetDevice)
__HIP_HOST(hipGetDeviceCount)
__HIP_HOST(hipRuntimeGetVersion)
__HIP_HOST(hipDriverGetVersion)
__HIP_HOST(hipStreamCreate)
__HIP_HOST(hipStreamCreateWithFlags)
__HIP_HOST(hipStreamDestroy)
__HIP_HOST(hipStreamSynchronize)
__HIP_HOST(hipStreamWaitEvent)
__HIP_HOST(hipStreamQuery)
__HIP_HOST(hipEventCreate)
__HIP_HOST(hipEventCreateWithFlags)
__HIP_HOST(hipEventDestroy)
__HIP_HOST(hipEventRecord)
__HIP_HOST(hipEventQuery)
__HIP_HOST(hipEventSynchronize)
__HIP_HOST(hipEventElapsedTime)
__HIP_HOST(hipFuncSetAttribute)
__HIP_HOST(hipOccupancyMaxActiveBlocksPerMultiprocessor)
__HIP_HOST(hipOccupancyMaxPotentialBlockSize)
__HIP_HOST(hipModuleLoad)
__HIP_HOST(hipModuleLoadData)
__HIP_HOST(hipModuleUnload)
__HIP_HOST(hipModuleGetFunction)
__HIP_HOST(hipModuleLaunchKernel)
__HIP_HOST(hipLaunchCooperativeKernel)
#undef __HIP_HOST
#define HIP_SYMBOL(name) name
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) kernel<<<grid, block, shared, stream>>>(__VA_ARGS__)
