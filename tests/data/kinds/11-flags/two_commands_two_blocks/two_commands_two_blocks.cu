__global__ void __launch_bounds__(N) k(float *x) { __shared__ float s[N]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, N>>>(nullptr); }
