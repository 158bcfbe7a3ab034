__global__ void k(float *x) { __shared__ float a[20000]; a[0] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = a[0]; }
int main() { k<<<1, 128>>>(nullptr); }
