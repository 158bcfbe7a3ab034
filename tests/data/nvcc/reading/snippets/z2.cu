namespace A { __device__ void fs(float *x) { __shared__ float t[32]; t[threadIdx.x] = x[0]; __syncthreads(); x[3] = t[1]; } }
namespace C { __device__ void fs(float *x) { } }
__global__ void e11(float *o) { A::fs(o); }
__global__ void e12(float *o) { C::fs(o); }
__global__ void e13(float *o) { using namespace A; fs(o); }
