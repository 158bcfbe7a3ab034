#define KEEP(x) asm volatile("" :: "l"(&(x)))
enum Big : unsigned long long { top = 1ull << 40 };
enum Auto { lo = -1, hi = 0xffffffff };
struct S { Auto a; char c; Big b; };
__global__ void k(float *p) { __shared__ char s[sizeof(S) * 4]; KEEP(s); }
int main()
{
  k<<<1, sizeof(S) * 4>>>(nullptr);
}
