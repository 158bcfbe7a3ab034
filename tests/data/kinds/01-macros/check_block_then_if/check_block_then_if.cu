#include <cstdio>
#define CUDA_CHECK_LAST { cudaError_t err = cudaGetLastError(); if (err != cudaSuccess) { printf("%s\n", cudaGetErrorString(err)); return 1; } }

__global__ void scale(float *x, float a) { x[threadIdx.x] *= a; }

int main(int argc, char **argv)
{
  float *d = nullptr;
  int threads = 128;
  cudaMalloc((void **)&d, 4096);
  CUDA_CHECK_LAST
  if (argc > 1) threads = 512;
  scale<<<1, threads>>>(d, 2.0f);
  CUDA_CHECK_LAST
  return 0;
}
