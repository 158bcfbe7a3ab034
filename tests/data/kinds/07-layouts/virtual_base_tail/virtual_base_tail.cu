#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct V { double d; };
struct D : virtual V { char c; };
struct E : D { char e; };
__global__ void k(float *p) { __shared__ char s[sizeof(E) * 4]; KEEP(s); }
int main()
{
  k<<<1, sizeof(E) * 4>>>(nullptr);
}
