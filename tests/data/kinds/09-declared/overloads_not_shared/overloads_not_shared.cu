__global__ void __launch_bounds__(64) k(float *x);
__global__ void k(double *x) { x[threadIdx.x] = 1; }
__global__ void k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 512>>>((double *)nullptr); k<<<1, 64>>>((float *)nullptr); }
