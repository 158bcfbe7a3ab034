#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Root { int id; };
struct Left : virtual Root { char l; };
struct Right : virtual Root { char r; };
struct Both : Left, Right { int b; };
__global__ void k(float *p) { __shared__ char s[sizeof(Both) * 2]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Both) * 4>>>(nullptr);
}
