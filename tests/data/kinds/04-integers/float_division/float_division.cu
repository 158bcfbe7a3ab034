constexpr int n = 10;
constexpr double ratio = n / 4;
constexpr double exact = n / 4.0;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, int(ratio * 64)>>>(nullptr);
  k<<<1, int(exact * 64)>>>(nullptr);
}
