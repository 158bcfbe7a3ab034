__global__ void __launch_bounds__(256) a(float *x) { x[threadIdx.x] = 1; }
__global__ void __maxnreg__(64) b(float *x) { x[threadIdx.x] = 1; }
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128) c(float *x) { x[threadIdx.x] = 1; }
int main() { a<<<1, 256>>>(nullptr); b<<<1, 512>>>(nullptr); c<<<2, 128>>>(nullptr); }
