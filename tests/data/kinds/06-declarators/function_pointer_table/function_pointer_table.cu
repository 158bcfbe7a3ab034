#define KEEP(x) asm volatile("" :: "l"(&(x)))
__global__ void k(float *p) { __shared__ void (*handlers[6])(int, float); KEEP(handlers); }
int main()
{
  k<<<1, sizeof(int (*)(double[32])) * 8>>>(nullptr);
}
