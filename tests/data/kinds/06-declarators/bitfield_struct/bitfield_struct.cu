#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Flags { unsigned a : 3, b : 5, : 0, c : 30; unsigned long long d : 40; };
__global__ void k(float *p) { __shared__ Flags f[8]; KEEP(f); }
int main()
{
  k<<<1, sizeof(Flags) * 4>>>(nullptr);
}
