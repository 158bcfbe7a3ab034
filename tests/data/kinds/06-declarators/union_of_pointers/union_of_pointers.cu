#define KEEP(x) asm volatile("" :: "l"(&(x)))
union Slot { float (*matrix)[64][64]; void (*fn)(double[1000]); short small[3]; };
__global__ void k(float *p) { __shared__ Slot s[12]; KEEP(s); }
int main()
{
  k<<<1, 12 * sizeof(Slot)>>>(nullptr);
}
