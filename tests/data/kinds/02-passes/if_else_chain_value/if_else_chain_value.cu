#if __CUDA_ARCH__ == 900
#define SMEM 100
#elif __CUDA_ARCH__ == 0
#define SMEM 300
#else
#define SMEM 200
#endif
__global__ void k(char *p) { extern __shared__ char d[]; __shared__ char s[SMEM]; s[threadIdx.x] = d[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, 96, SMEM>>>(nullptr); }
