#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct alignas(16) Vec3 { float x, y, z; };
struct Pairs { char c; Vec3 v; };
__global__ void k(float *p) { __shared__ char s[sizeof(Pairs) * 4]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Pairs) * 4>>>(nullptr);
}
