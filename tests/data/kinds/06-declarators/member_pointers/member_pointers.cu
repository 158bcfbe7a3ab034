#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct S { int a; void f(); };
__global__ void k(float *p) { __shared__ int S::*field; __shared__ void (S::*method)(); KEEP(field); KEEP(method); }
int main()
{
  k<<<1, sizeof(int S::*) * 8>>>(nullptr);
  k<<<1, sizeof(void (S::*)()) * 4>>>(nullptr);
}
