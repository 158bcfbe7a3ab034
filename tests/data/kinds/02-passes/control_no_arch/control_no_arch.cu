#if defined(USE_WIDE)
#define W 8
#else
#define W 4
#endif
__global__ void __launch_bounds__(32 * W) k(float *p) { __shared__ float s[32 * W]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, 32 * W>>>(nullptr); }
