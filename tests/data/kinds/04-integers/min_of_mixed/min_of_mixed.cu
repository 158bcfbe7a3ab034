template <class A, class B> constexpr auto lesser(A a, B b) { return a < b ? a : b; }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, lesser(-1, 96u)>>>(nullptr);
  k<<<1, lesser(-1, 96) + 65>>>(nullptr);
}
