#include <hip/hip_runtime.h>
typedef struct __attribute__((packed)) { char a; double b; } Rec;
typedef struct { char a; double b; } Rec2 __attribute__((aligned(32)));
__global__ void k(float *p) { __shared__ char s[sizeof(Rec) * 8 + sizeof(Rec2)]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, sizeof(Rec2) * 2>>>(nullptr);
}
