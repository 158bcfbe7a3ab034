__global__ void __maxnreg__(70) k(float *x) { x[threadIdx.x] = 1; }
__global__ void __maxnreg__(300) l(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 512>>>(nullptr); l<<<1, 128>>>(nullptr); }
