#ifndef DEPTH
#define DEPTH 2
#endif
#ifndef NAME
#define NAME d0
#endif
__global__ void NAME(float *x) { __shared__ float s[DEPTH * 64]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
#undef DEPTH
#undef NAME
#define NAME d1
