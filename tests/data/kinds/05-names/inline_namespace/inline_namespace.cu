namespace lib { inline namespace v2 { constexpr int block = 320; } namespace v1 { constexpr int block = 64; } }
__global__ void __launch_bounds__(lib::block) k(char *p) { __shared__ char s[lib::block]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, lib::block>>>(nullptr);
  k<<<1, lib::v1::block>>>(nullptr);
}
