constexpr unsigned big = -256;
constexpr int n = big / 67108864;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, n>>>(nullptr);
  k<<<1, (-256 / 2u) >> 23>>>(nullptr);
}
