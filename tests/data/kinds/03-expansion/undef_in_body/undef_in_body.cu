#define B 64
__global__ void k(float *p)
{
  __shared__ float s[B];
#undef B
#define B 16
  __shared__ float t[B];
  s[threadIdx.x] = p[0]; t[threadIdx.x & 15] = p[1];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 1] + t[threadIdx.x & 7];
}
int main() { k<<<1, B * 4>>>(nullptr); }
