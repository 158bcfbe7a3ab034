constexpr unsigned warp = 32;
constexpr unsigned n = 100;
constexpr unsigned up = (n + warp - 1) & -warp;
constexpr unsigned down = n & ~(warp - 1);
__global__ void k(float *p) { __shared__ float s[up]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, up>>>(nullptr);
  k<<<1, down>>>(nullptr);
}
