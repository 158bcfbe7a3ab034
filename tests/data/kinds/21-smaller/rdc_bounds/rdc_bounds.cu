__global__ void __launch_bounds__(256) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 256>>>(nullptr); }
