constexpr signed char c = (signed char)200;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, c + 256>>>(nullptr);
  k<<<1, c < 0 ? 96 : 32>>>(nullptr);
}
