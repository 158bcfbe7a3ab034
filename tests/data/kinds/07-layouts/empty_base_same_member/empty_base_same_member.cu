#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Empty {};
struct Two : Empty { Empty e; int a; };
__global__ void k(float *p) { __shared__ char s[sizeof(Two) * 8]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Two) * 8>>>(nullptr);
}
