#define KEEP(x) asm volatile("" :: "l"(&(x)))
enum class Kind : unsigned char { a, b };
enum Flags : short { f };
struct S { Kind k; Flags f; bool b; };
__global__ void k(float *p) { __shared__ char s[sizeof(S) * 16]; KEEP(s); }
int main()
{
  k<<<1, sizeof(S) * 16>>>(nullptr);
}
