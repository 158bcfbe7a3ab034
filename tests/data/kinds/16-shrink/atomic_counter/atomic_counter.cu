__global__ void k(int *x) { __shared__ int counts[3000]; if (threadIdx.x == 0) counts[7] = 0; __syncthreads(); atomicAdd(&counts[7], 1); __syncthreads(); x[threadIdx.x] = counts[7]; }
int main() { k<<<1, 128>>>(nullptr); }
