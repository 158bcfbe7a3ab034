__global__ void k(float *x) { x[threadIdx.x] = 1; }
__global__ void __launch_bounds__(1024, 2) l(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 1024>>>(nullptr); l<<<1, 1024>>>(nullptr); }
