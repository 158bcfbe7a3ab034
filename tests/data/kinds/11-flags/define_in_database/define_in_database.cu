#ifndef BLOCK
#define BLOCK 64
#endif
__global__ void __launch_bounds__(BLOCK) k(float *x) { __shared__ float s[BLOCK]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, BLOCK>>>(nullptr); }
