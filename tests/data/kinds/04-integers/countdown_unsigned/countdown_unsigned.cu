constexpr int levels()
{
  int n = 0;
  for (unsigned i = 5; i - 1 < 5; --i) ++n;
  return n;
}
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, 32 * levels()>>>(nullptr);
}
