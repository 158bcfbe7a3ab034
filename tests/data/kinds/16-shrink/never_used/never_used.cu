__global__ void k(float *x) { __shared__ float unused[5000]; __shared__ float s[64]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, 64>>>(nullptr); }
