namespace big { constexpr int n = 512; }
namespace small { constexpr int n = 64; }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
void first() { using namespace big; k<<<1, n>>>(nullptr); }
void second() { using namespace small; k<<<1, n>>>(nullptr); }
int main()
{
  first();
  second();
}
