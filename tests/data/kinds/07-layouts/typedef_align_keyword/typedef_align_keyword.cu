#define KEEP(x) asm volatile("" :: "l"(&(x)))
typedef struct __align__(64) Block { int a[3]; } Block;
__global__ void k(float *p) { __shared__ char s[sizeof(Block) * 4]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Block) * 4>>>(nullptr);
}
