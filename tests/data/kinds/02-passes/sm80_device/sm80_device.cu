#if __CUDA_ARCH__ >= 900
#define PIPE 6
#elif __CUDA_ARCH__ >= 800
#define PIPE 3
#else
#define PIPE 1
#endif
__global__ void k(float *p) { __shared__ float s[64 * PIPE]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, 64 * PIPE>>>(nullptr); }
