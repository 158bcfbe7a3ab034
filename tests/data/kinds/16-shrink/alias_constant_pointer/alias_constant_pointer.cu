__global__ void k(float *x) { __shared__ float a[700]; float *p = a + 10; *p = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = *(a + 10); }
__global__ void l(float *x, int i) { __shared__ float a[700]; float *p = a + i; *p = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = a[0]; }
int main() { k<<<1, 32>>>(nullptr); l<<<1, 32>>>(nullptr, 3); }
