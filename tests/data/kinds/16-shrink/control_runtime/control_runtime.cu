__global__ void __launch_bounds__(128) k(float *x) { __shared__ float a[128], b[128]; a[threadIdx.x] = x[0]; b[threadIdx.x] = x[1]; __syncthreads(); x[threadIdx.x] = a[threadIdx.x ^ 1] * b[threadIdx.x ^ 2]; }
int main() { k<<<1, 128>>>(nullptr); }
