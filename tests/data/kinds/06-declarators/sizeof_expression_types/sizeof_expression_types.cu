#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct R { double (*cb)(R *, char[3]); char tag[3]; };
__global__ void k(float *p) { __shared__ char s[sizeof(((R *)0)->tag) * 30 + sizeof((*(R *)0).cb)]; KEEP(s); }
int main()
{
  k<<<1, sizeof(char[3][7]) * 4>>>(nullptr);
  k<<<1, sizeof(short *[2][3])>>>(nullptr);
}
