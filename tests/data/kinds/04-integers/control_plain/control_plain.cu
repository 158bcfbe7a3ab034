constexpr int rows = 8, cols = 32;
constexpr int threads = rows * cols / 2;
constexpr unsigned bytes = rows * cols * sizeof(float);
__global__ void __launch_bounds__(threads) k(float *p) { __shared__ float s[rows * cols]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, threads, bytes>>>(nullptr);
}
