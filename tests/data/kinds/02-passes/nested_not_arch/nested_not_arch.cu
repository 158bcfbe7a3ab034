#if !defined(__CUDA_ARCH__)
#  if defined(__CUDACC__)
#    define N 72
#  else
#    define N 73
#  endif
#else
#  if __CUDA_ARCH__ >= 1000
#    define N 74
#  else
#    define N 75
#  endif
#endif
__global__ void k(char *p) { __shared__ char c[N]; c[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = c[threadIdx.x ^ 1]; }
int main() { k<<<1, N>>>(nullptr); }
