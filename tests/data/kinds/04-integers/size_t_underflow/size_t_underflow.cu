constexpr unsigned long used = 60;
constexpr bool fits = used - 64 > 1024;
constexpr int t = fits ? 256 : 512;
__global__ void k(char *p) { __shared__ char s[t]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, t>>>(nullptr);
  k<<<1, (int)used - 64 > 1024 ? 96 : 128>>>(nullptr);
}
