#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct In { char c; double d; };
struct __attribute__((packed)) Out { char t; In i; short s; };
__global__ void k(float *p) { __shared__ char s[sizeof(Out) * 4]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Out) * 4>>>(nullptr);
}
