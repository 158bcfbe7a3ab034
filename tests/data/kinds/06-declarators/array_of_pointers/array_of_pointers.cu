#define KEEP(x) asm volatile("" :: "l"(&(x)))
__global__ void k(float *p) { __shared__ float *rows[64]; KEEP(rows); }
__global__ void l(float *p) { __shared__ float (*rows)[64], (*more[3])[16]; KEEP(rows); KEEP(more); }
int main()
{
  k<<<1, 64>>>(nullptr);
  l<<<1, 8 * sizeof(int *[4])>>>(nullptr);
}
