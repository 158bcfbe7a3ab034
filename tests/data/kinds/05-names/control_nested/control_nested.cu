namespace app { namespace cfg { constexpr int block = 256; constexpr int rows = block / 32; }
__global__ void __launch_bounds__(cfg::block) k(float *p) { __shared__ float s[cfg::rows * 64]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
}
int main()
{
  app::k<<<1, app::cfg::block>>>(nullptr);
}
