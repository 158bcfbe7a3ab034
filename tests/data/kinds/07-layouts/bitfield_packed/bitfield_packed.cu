#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct __attribute__((packed)) B { unsigned a : 12; unsigned b : 13; unsigned long long c : 30; };
__global__ void k(float *p) { __shared__ char s[sizeof(B) * 16]; KEEP(s); }
int main()
{
  k<<<1, sizeof(B) * 16>>>(nullptr);
}
