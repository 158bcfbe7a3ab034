constexpr int off = -1;
constexpr unsigned n = off % 100u;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, n>>>(nullptr);
  k<<<1, off % 100 + 100>>>(nullptr);
}
