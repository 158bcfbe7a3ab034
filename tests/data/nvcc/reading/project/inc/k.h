#ifndef TILE
#define TILE 16
#endif
template <typename T> __global__ void hk1(T *o) { __shared__ T a[TILE]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
static __global__ void hk2(float *o) { __shared__ float a[TILE][TILE + PAD]; a[threadIdx.x][0] = o[1]; __syncthreads(); o[0] = a[1][0]; }
