#define CALLIT(o) fs(o)
__device__ float fs(float x) { __shared__ float t[32]; t[threadIdx.x] = x; __syncthreads(); return t[1]; }
__global__ void e11(float *o) { o[0] = CALLIT(o[1]); }
__global__ void e12(float *o) { if (o[0]) CALLIT(o[1]); }
