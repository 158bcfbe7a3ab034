#define IMPL(f) f(o)
__device__ void fs(float *x) { __shared__ float t[32]; t[threadIdx.x] = x[0]; __syncthreads(); x[3] = t[1]; }
__global__ void e11(float *o) { IMPL(fs); }
