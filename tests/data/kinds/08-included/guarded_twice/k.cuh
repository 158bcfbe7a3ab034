#ifndef K_CUH
#define K_CUH
#ifndef SIZE
#define SIZE 96
#endif
constexpr int SIZE_OF_K = SIZE;
__global__ void k(float *x) { __shared__ float s[SIZE]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
#undef SIZE
#endif
