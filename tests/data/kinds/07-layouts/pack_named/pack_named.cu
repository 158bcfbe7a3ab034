#define KEEP(x) asm volatile("" :: "l"(&(x)))
#pragma pack(push, outer, 4)
#pragma pack(push, 1)
struct A { char a; double b; };
#pragma pack(pop, outer)
struct B { A a; double b; };
__global__ void k(float *p) { __shared__ char s[sizeof(B) * 3]; KEEP(s); }
int main()
{
  k<<<1, sizeof(B) * 4>>>(nullptr);
}
