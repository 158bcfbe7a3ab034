struct Base { static constexpr int threads = 256; static constexpr int items = 2; };
struct Sm90 : Base { static constexpr int threads = 384; };
__global__ void __launch_bounds__(Sm90::threads) k(char *p) { __shared__ char s[Sm90::threads * Sm90::items]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, Sm90::threads>>>(nullptr);
  k<<<1, Sm90::Base::threads>>>(nullptr);
}
