#define POLICY Small
#define THREADS 64
#include "policy.inc"
#define POLICY Large
#define THREADS 512
#include "policy.inc"
template <class P> __global__ void __launch_bounds__(P::threads) agg(float *x) { __shared__ float s[P::threads]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { agg<Small><<<1, Small::threads>>>(nullptr); agg<Large><<<1, Large::threads>>>(nullptr); }
