constexpr int s = 1 << 8ull;
constexpr long w = 1l << 33;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, s>>>(nullptr);
  k<<<1, static_cast<int>(w) + 64>>>(nullptr);
  k<<<1, w / (1u << 28)>>>(nullptr);
}
