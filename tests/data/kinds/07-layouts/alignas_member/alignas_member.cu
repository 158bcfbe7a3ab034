#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Q { char a; alignas(8) char b; alignas(4) short c; };
__global__ void k(float *p) { __shared__ char s[sizeof(Q) * 8]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Q) * 8>>>(nullptr);
}
