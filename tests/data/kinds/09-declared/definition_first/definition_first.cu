__global__ void k(float *x) { x[threadIdx.x] = 1; }
__global__ void __launch_bounds__(96) k(float *x);
int main() { k<<<1, 96>>>(nullptr); }
