__global__ void __block_size__((32, 4, 2)) k(float *x) { __shared__ float s[256]; s[threadIdx.x + 32 * threadIdx.y] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<4, dim3(32, 4, 2)>>>(nullptr); }
