#define KEEP(x) asm volatile("" :: "l"(&(x)))
_Pragma("pack(1)")
struct Tight { char a; long b; short c; };
_Pragma("pack()")
struct Loose { Tight t; long l; };
__global__ void k(float *p) { __shared__ char s[sizeof(Loose) * 3]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Loose) * 4>>>(nullptr);
}
