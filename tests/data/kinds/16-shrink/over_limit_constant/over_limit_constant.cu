__global__ void k(double *x) { __shared__ double a[7000]; if (threadIdx.x < 2) a[1] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = a[1]; }
int main() { k<<<1, 64>>>(nullptr); }
