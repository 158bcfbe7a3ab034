constexpr bool flag = 4;
constexpr int t = flag + flag;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, 64 * t>>>(nullptr);
  k<<<1, 32 * (flag == 1) + 32>>>(nullptr);
  k<<<1, 96 + !7>>>(nullptr);
}
