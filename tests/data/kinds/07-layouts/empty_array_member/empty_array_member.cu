#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct E {};
struct H { E e[3]; short s; E last; };
__global__ void k(float *p) { __shared__ char s[sizeof(H) * 16]; KEEP(s); }
int main()
{
  k<<<1, sizeof(H) * 16>>>(nullptr);
}
