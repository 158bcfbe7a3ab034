#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Tail { short a; int b; char c; } __attribute__((packed)) __attribute__((aligned(8)));
__global__ void k(float *p) { __shared__ char s[sizeof(Tail) * 6]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Tail) * 4>>>(nullptr);
}
