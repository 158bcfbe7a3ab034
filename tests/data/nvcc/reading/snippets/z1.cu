__device__ void fs(float *x) { __shared__ float t[32]; t[threadIdx.x] = x[0]; __syncthreads(); x[3] = t[1]; }
#define RUN fs
__global__ void e11(float *o) { RUN(o); }
