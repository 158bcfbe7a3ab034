__global__ void __maxnreg__(64) k(float *x, int n);
__global__ void k(float *x, int n) { x[threadIdx.x] = n; }
int main() { k<<<1, 1024>>>(nullptr, 1); }
