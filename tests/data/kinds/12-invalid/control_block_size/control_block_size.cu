__global__ void __block_size__((64, 2, 1)) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<4, dim3(64, 2, 1)>>>(nullptr); }
