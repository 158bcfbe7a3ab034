enum class Small { size = 32 };
enum class Large { size = 512 };
enum Plain { size = 128 };
__global__ void k(char *p) { __shared__ char s[size]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, size>>>(nullptr);
  k<<<1, int(Large::size)>>>(nullptr);
  k<<<1, static_cast<int>(Small::size)>>>(nullptr);
}
