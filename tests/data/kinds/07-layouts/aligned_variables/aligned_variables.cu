#define KEEP(x) asm volatile("" :: "l"(&(x)))
__global__ void k(float *p)
{
  __shared__ char a[3];
  __shared__ __align__(16) char b[5];
  __shared__ alignas(128) float c[2];
  __shared__ double d;
  KEEP(a); KEEP(b); KEEP(c); KEEP(d);
}
int main()
{
  k<<<1, 64>>>(nullptr);
}
