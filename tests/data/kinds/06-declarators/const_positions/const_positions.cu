#define KEEP(x) asm volatile("" :: "l"(&(x)))
__global__ void k(float *p) { __shared__ const float *volatile ptrs[7]; KEEP(ptrs); }
constexpr int const long unsigned nn = 128;
int main()
{
  int const b = 64, *const pb = &b;
  k<<<1, *pb>>>(nullptr);
  k<<<1, nn>>>(nullptr);
}
