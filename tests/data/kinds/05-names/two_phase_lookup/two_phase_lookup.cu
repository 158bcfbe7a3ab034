constexpr int f(long) { return 64; }
template <class T> constexpr int call(T t) { return f(t); }
constexpr int f(int) { return 128; }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, call(1)>>>(nullptr);
  k<<<1, f(1)>>>(nullptr);
}
