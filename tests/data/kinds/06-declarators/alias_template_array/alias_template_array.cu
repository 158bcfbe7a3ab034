#define KEEP(x) asm volatile("" :: "l"(&(x)))
template <class T, int N> using Arr = T[N];
template <class T> using Ptr = T (*)[10];
__global__ void k(float *p) { __shared__ Arr<float, 20> a; __shared__ Ptr<double> b; KEEP(a); KEEP(b); }
int main()
{
  k<<<1, sizeof(Arr<short, 48>)>>>(nullptr);
}
