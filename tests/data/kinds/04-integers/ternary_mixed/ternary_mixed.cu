constexpr bool wide = true;
constexpr auto v = wide ? -1 : 1u;
constexpr int t = v > 0 ? 192 : 48;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, t>>>(nullptr);
  k<<<1, (wide ? 2.9 : 1) * 32>>>(nullptr);
}
