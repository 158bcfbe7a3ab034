__global__ void __maxnreg__(10) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 1024>>>(nullptr); }
