enum class Cfg { threads = 288, rows = 3 };
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  using enum Cfg;
  k<<<1, int(threads)>>>(nullptr);
  k<<<1, int(rows) * 32>>>(nullptr);
}
