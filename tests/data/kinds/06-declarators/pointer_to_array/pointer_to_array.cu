#define KEEP(x) asm volatile("" :: "l"(&(x)))
__global__ void k(float *p) { __shared__ float (*row)[64]; KEEP(row); }
int main()
{
  float (*c)[8]; (void)c;
  k<<<1, 32>>>(nullptr);
}
