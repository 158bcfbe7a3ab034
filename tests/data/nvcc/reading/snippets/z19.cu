#define SHARED __shared__
__global__ void e11(float *o) { SHARED float bm[64]; bm[threadIdx.x] = 1; __syncthreads(); o[0] = bm[1]; }
