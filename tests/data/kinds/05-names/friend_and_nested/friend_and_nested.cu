constexpr int n = 9;
struct Outer { static constexpr int n = 5; struct Inner { static constexpr int m = n * 32; static constexpr int q = 7; static constexpr int o = q * ::n; }; };
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, Outer::Inner::m>>>(nullptr);
  k<<<1, Outer::Inner::o>>>(nullptr);
}
