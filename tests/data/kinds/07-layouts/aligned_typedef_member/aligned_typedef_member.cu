#define KEEP(x) asm volatile("" :: "l"(&(x)))
typedef float aligned_float __attribute__((aligned(16)));
struct S { char c; aligned_float f; char d; };
__global__ void k(float *p) { __shared__ char s[sizeof(S) * 4]; KEEP(s); }
__global__ void l(float *p) { __shared__ aligned_float v; KEEP(v); }
int main()
{
  k<<<1, sizeof(S) * 4>>>(nullptr);
}
