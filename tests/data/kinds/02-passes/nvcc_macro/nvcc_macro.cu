#if defined(__NVCC__) && !defined(__CUDA_ARCH__)
#define WHERE 1
#else
#define WHERE 2
#endif
__global__ void k(float *p) { __shared__ float s[32 * WHERE]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, 32 * WHERE>>>(nullptr); }
