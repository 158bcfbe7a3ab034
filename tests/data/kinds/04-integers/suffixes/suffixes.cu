constexpr auto a = 4294967295;
constexpr auto b = 4294967295u;
constexpr int t = (a + 1 > 0 ? 64 : 32), u = (b + 1 > 0 ? 64 : 128);
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, t>>>(nullptr);
  k<<<1, u>>>(nullptr);
}
