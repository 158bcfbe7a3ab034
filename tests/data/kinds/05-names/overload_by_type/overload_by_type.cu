constexpr int threads(int) { return 64; }
constexpr int threads(double) { return 128; }
constexpr int threads(const char *) { return 256; }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, threads(1.0)>>>(nullptr);
  k<<<1, threads("x")>>>(nullptr);
  k<<<1, threads('c')>>>(nullptr);
}
