__global__ void __launch_bounds__(64 * WAVES) K(float *x) { __shared__ float s[WAVES * 64]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
