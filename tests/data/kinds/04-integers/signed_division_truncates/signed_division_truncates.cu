constexpr int q = -7 / 2, r = -7 % 4;
__global__ void k(char *p) { __shared__ char s[64 + q]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, 64 * -r>>>(nullptr);
  k<<<1, (-7 >> 1) + 100>>>(nullptr);
}
