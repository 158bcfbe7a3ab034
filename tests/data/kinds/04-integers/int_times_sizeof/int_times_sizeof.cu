constexpr int extra = -8;
constexpr unsigned long bytes = extra + sizeof(double) * 100;
__global__ void k(float *p) { extern __shared__ float s[]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, 64, bytes>>>(nullptr);
  k<<<1, 64, extra / 2 + 16 * sizeof(int)>>>(nullptr);
}
