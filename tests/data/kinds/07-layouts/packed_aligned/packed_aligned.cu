#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct __attribute__((packed, aligned(4))) Head { char a; double b; short c; };
__global__ void k(float *p) { __shared__ char s[sizeof(Head) * 4]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Head) * 4>>>(nullptr);
}
