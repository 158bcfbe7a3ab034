#define KEEP(x) asm volatile("" :: "l"(&(x)))
#pragma pack(push, 2)
struct Wire { char a; int b; double c; };
#pragma pack(pop)
struct Mem { char a; int b; double c; };
__global__ void k(float *p) { __shared__ char s[sizeof(Wire) * 4 + sizeof(Mem)]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Wire) * 4>>>(nullptr);
}
