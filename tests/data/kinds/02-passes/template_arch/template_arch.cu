template <int T> struct Policy {
#ifdef __CUDA_ARCH__
  static constexpr int threads = T, items = 8;
#else
  static constexpr int threads = T, items = 4;
#endif
};
template <class P> __global__ void __launch_bounds__(P::threads) agg(float *p)
{
  __shared__ float s[P::threads * P::items];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 1];
}
int main() { agg<Policy<128>><<<1, Policy<128>::threads>>>(nullptr); agg<Policy<64>><<<1, 64, Policy<64>::items>>>(nullptr); }
