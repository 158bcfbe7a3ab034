__global__ void k(float *x) { __shared__ float a[256]; a[threadIdx.x] = x[threadIdx.x]; x[threadIdx.x] = 2; }
int main() { k<<<1, 256>>>(nullptr); }
