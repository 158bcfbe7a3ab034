#define KEEP(x) asm volatile("" :: "l"(&(x)))
typedef struct { int a; } Cell __attribute__((aligned(16)));
__global__ void k(float *p) { __shared__ char s[sizeof(Cell) * 4]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Cell) * 4>>>(nullptr);
}
