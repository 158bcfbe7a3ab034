#pragma once
#include <cstdio>
#define CHECK_KERNEL                                   \
  {                                                    \
    const cudaError_t e = cudaGetLastError();          \
    if (e != cudaSuccess) {                            \
      printf("kernel: %s\n", cudaGetErrorString(e));   \
    }                                                  \
  }
