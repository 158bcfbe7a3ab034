#define DECL __shared__ float bm[64]
__global__ void e11(float *o) { DECL; bm[threadIdx.x] = 1; __syncthreads(); o[0] = bm[1]; }
