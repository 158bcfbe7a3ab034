__global__ void __block_size__((128, 1, 1)) __launch_bounds__(128) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 128>>>(nullptr); }
