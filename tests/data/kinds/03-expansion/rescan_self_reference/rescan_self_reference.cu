constexpr int block = 96;
#define block (block + 32)
__global__ void __launch_bounds__(block) k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, block>>>(nullptr); }
