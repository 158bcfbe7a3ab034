#define KEEP(x) asm volatile("" :: "l"(&(x)))
__global__ void k(float *p) { __shared__ float a[4][8], b[16]; __shared__ double c[3]; KEEP(a); KEEP(b); KEEP(c); }
int main()
{
  int t[2] = {64, 128};
  k<<<1, t[1]>>>(nullptr);
}
