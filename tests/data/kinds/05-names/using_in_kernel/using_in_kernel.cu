namespace cfg { constexpr int cols = 96; }
constexpr int rows = 2;
__global__ void k(float *p)
{
  using cfg::cols;
  constexpr int rows = 3;
  __shared__ float t[rows * cols];
  t[threadIdx.x] = p[0];
  __syncthreads();
  p[threadIdx.x] = t[threadIdx.x ^ 1];
}
int main()
{
  k<<<1, rows * cfg::cols>>>(nullptr);
}
