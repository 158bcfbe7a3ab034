#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Mix { char a; int b __attribute__((packed)); short c; };
__global__ void k(float *p) { __shared__ char s[sizeof(Mix) * 8]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Mix) * 8>>>(nullptr);
}
