__global__ void k(float *x);
__global__ void __launch_bounds__(224, 3) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 224>>>(nullptr); }
