template <int N> __global__ void __launch_bounds__(N) k(float *x);
int main();
template <int M> __global__ void k(float *x) { __shared__ float s[M]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<64><<<1, 64>>>(nullptr); k<256><<<1, 256>>>(nullptr); }
