#include <hip/hip_runtime.h>
struct Job { void (*run)(int); float (*rows)[32]; int n; };
__global__ void k(float *p)
{
  __shared__ Job jobs[9];
  jobs[threadIdx.x % 9].n = p[0]; jobs[threadIdx.x % 9].rows = (float (*)[32])p;
  __syncthreads();
  p[threadIdx.x] = jobs[(threadIdx.x + 1) % 9].n + (*jobs[threadIdx.x % 7].rows)[1];
}
int main() { k<<<1, sizeof(Job) * 8>>>(nullptr); }
