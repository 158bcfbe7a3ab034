#define KEEP(x) asm volatile("" :: "l"(&(x)))
int one(int); int two(int);
__global__ void k(float *p) { __shared__ int (*ops[2])(int); KEEP(ops); }
int main()
{
  int (*sel[])(int) = {nullptr, nullptr, nullptr};
  k<<<1, sizeof sel>>>(nullptr);
  int (&ref)[2] = *new int[1][2]{{72, 3}};
  k<<<1, ref[0]>>>(nullptr);
}
