#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct B { char a : 3; int b : 12; int c : 20; unsigned char d : 2; long long e : 33; };
__global__ void k(float *p) { __shared__ char s[sizeof(B) * 4]; KEEP(s); }
int main()
{
  k<<<1, sizeof(B) * 4>>>(nullptr);
}
