#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Tag {};
struct Other {};
struct W { [[no_unique_address]] Tag a; [[no_unique_address]] Other b; int v; };
struct X { [[no_unique_address]] Tag a; [[no_unique_address]] Tag b; char v; };
__global__ void k(float *p) { __shared__ char s[sizeof(W) * 8 + sizeof(X)]; KEEP(s); }
int main()
{
  k<<<1, sizeof(W) * 8>>>(nullptr);
}
