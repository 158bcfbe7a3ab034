#pragma once
#ifndef USE_ROCM
#include <cuda_runtime.h>
#define gpuDeviceSynchronize cudaDeviceSynchronize
#define GPU_BLOCK 224
#else
#include <hip/hip_runtime.h>
#define gpuDeviceSynchronize hipDeviceSynchronize
#define GPU_BLOCK 832
#endif
