#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct P { P() {} int a; char b; };
struct Y { [[no_unique_address]] P p; char c; };
__global__ void k(float *p) { __shared__ char s[sizeof(Y) * 8]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Y) * 8>>>(nullptr);
}
