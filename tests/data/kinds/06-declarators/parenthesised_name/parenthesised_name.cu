#define KEEP(x) asm volatile("" :: "l"(&(x)))
__global__ void k(float *p) { __shared__ float (buf)[48], ((twice))[2][8]; KEEP(buf); KEEP(twice); }
int main()
{
  int (t) = 160;
  k<<<1, (t)>>>(nullptr);
}
