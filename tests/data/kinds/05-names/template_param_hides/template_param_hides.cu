constexpr int N = 1000;
template <int N> __global__ void k(float *p) { __shared__ float s[N]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
template <int N> void go() { k<N><<<1, N>>>(nullptr); }
int main()
{
  go<64>();
  k<128><<<1, N / 10>>>(nullptr);
}
