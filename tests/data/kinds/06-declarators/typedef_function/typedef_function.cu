#define KEEP(x) asm volatile("" :: "l"(&(x)))
typedef int Fn(int);
typedef Fn *FnPtr;
using Cb = void (*)(float (&)[16]);
__global__ void k(float *p) { __shared__ FnPtr f[5]; KEEP(f); }
__global__ void l(float *p) { __shared__ Fn *g; __shared__ Cb h[3]; KEEP(g); KEEP(h); }
int main()
{
  k<<<1, 40>>>(nullptr);
  l<<<1, sizeof(Cb) * 8>>>(nullptr);
}
