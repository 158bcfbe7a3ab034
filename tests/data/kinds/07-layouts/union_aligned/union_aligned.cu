#define KEEP(x) asm volatile("" :: "l"(&(x)))
union alignas(32) U { char c[33]; double d; };
struct T { char c; union { int i; short s[5]; }; };
__global__ void k(float *p) { __shared__ char s[sizeof(U) * 2 + sizeof(T)]; KEEP(s); }
int main()
{
  k<<<1, sizeof(U) * 1>>>(nullptr);
}
