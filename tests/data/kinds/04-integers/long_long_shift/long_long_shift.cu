constexpr unsigned long long bits = 1ull << 36;
constexpr int t = bits >> 28;
constexpr unsigned narrow = (1u << 31) * 2;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, t>>>(nullptr);
  k<<<1, 32 + narrow>>>(nullptr);
}
