__global__ void __launch_bounds__(BOUND) NAME(float *x) { x[threadIdx.x] = BOUND; }
