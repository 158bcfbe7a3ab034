#define REQUIRE(c) if (!(c)) return -1;
#define NOTE
constexpr int threads(int rows)
{
  REQUIRE(rows > 0)
  int t = 32;
  NOTE
  while (t < rows) t *= 2;
  NOTE
  return t;
}
__global__ void __launch_bounds__(threads(100)) k(float *p) { p[threadIdx.x] = 1; }
__global__ void __launch_bounds__(threads(300)) l(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, threads(100)>>>(nullptr); l<<<1, threads(300)>>>(nullptr); }
