__global__ void k(float *x) { __shared__ float total; __shared__ int n; __shared__ double d[2]; if (threadIdx.x == 0) { total = x[0]; n = 3; d[1] = x[1]; } __syncthreads(); x[threadIdx.x] = total * n + d[1]; }
int main() { k<<<1, 32>>>(nullptr); }
