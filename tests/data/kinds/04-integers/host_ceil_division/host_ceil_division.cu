static inline int ceil_div(int a, unsigned b) { return (a + b - 1) / b; }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  int n = -31;
  k<<<1, ceil_div(1000, 32u) * 32>>>(nullptr);
  k<<<1, ceil_div(n, 32u) + 1 ? 64 : 32>>>(nullptr);
}
