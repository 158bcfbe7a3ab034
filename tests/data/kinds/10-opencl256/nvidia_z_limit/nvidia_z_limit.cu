__global__ void k(float *x) { x[threadIdx.z] = 1; }
__global__ void l(float *x) { x[threadIdx.z] = 1; }
int main() { k<<<1, dim3(2, 2, 128)>>>(nullptr); l<<<1, dim3(2, 2, 64)>>>(nullptr); }
