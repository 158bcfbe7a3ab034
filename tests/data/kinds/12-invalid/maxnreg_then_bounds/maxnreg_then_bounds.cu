#define REGS(n) __maxnreg__(n)
__global__ REGS(48) __launch_bounds__(128, 4) void k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 128>>>(nullptr); }
