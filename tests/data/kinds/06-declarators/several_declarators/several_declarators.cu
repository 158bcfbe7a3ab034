#define KEEP(x) asm volatile("" :: "l"(&(x)))
__global__ void k(float *p) { __shared__ int a, *b, c[3], (*d)[5], *e[2]; KEEP(a); KEEP(b); KEEP(c); KEEP(d); KEEP(e); }
int main()
{
  int n = 32, *q = &n, m[] = {64, 96}, (*w)[2] = &m;
  k<<<1, *q>>>(nullptr);
  k<<<1, m[0]>>>(nullptr);
  k<<<1, (*w)[1]>>>(nullptr);
}
