#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Base { int a; char b; };
struct Derived : Base { char c; short d; };
__global__ void k(float *p) { __shared__ char s[sizeof(Derived) * 8]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Derived) * 8>>>(nullptr);
}
