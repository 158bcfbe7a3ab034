#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct E {};
struct A : E {};
struct B : E {};
struct C : A, B { char c; };
__global__ void k(float *p) { __shared__ char s[sizeof(C) * 32]; KEEP(s); }
int main()
{
  k<<<1, sizeof(C) * 32>>>(nullptr);
}
