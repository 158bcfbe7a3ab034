struct A { static __device__ void fs(float *x) { __shared__ float t[32]; t[threadIdx.x] = x[0]; __syncthreads(); x[3] = t[1]; } };
struct C { static __device__ void fs(float *x) { } };
typedef A AA; using CC = C;
__global__ void e11(float *o) { AA::fs(o); }
__global__ void e12(float *o) { CC::fs(o); }
