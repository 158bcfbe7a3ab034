namespace very { namespace deep { constexpr int n = 416; } }
namespace vd = very::deep;
constexpr int n = 16;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, vd::n>>>(nullptr);
  { namespace vd = very; k<<<1, vd::deep::n / 2>>>(nullptr); }
}
