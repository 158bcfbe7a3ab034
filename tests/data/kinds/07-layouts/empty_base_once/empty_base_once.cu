#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Empty {};
struct One : Empty { int a; };
__global__ void k(float *p) { __shared__ char s[sizeof(One) * 16]; KEEP(s); }
int main()
{
  k<<<1, sizeof(One) * 16>>>(nullptr);
}
