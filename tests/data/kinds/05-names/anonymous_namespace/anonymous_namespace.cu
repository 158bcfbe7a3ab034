namespace { constexpr int lanes = 96; }
namespace x { namespace { constexpr int lanes = 48; } inline int get() { return lanes; } }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, lanes>>>(nullptr);
  k<<<1, x::get()>>>(nullptr);
}
