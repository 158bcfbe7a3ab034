#define KEEP(x) asm volatile("" :: "l"(&(x)))
typedef struct __attribute__((aligned(32))) { float a, b; } Pair;
__global__ void k(float *p) { __shared__ char s[sizeof(Pair) * 4]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Pair) * 4>>>(nullptr);
}
