#define KEEP(x) asm volatile("" :: "l"(&(x)))
__global__ void k(float *p) { __shared__ int (*(*fp)(char))[40]; KEEP(fp); }
__global__ void l(float *p) { __shared__ char (*(*tab[2])(void))[100]; KEEP(tab); }
int main()
{
  k<<<1, 32>>>(nullptr);
  l<<<1, 64>>>(nullptr);
}
