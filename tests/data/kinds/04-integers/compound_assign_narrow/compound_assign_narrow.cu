constexpr int f() { unsigned char c = 250; c += 70; return c; }
constexpr int g() { int v = 100; v *= 0.75; return v; }
constexpr int h() { unsigned u = 64; u -= 32; u <<= 2; return u; }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, f()>>>(nullptr);
  k<<<1, g()>>>(nullptr);
  k<<<1, h()>>>(nullptr);
}
