#define update update_impl
__global__ void __launch_bounds__(256) update(float *x) { x[threadIdx.x] = 1; }
#undef update
__global__ void __launch_bounds__(32) update(float *x) { x[threadIdx.x] = 2; }
int main() { update_impl<<<1, 256>>>(nullptr); update<<<1, 32>>>(nullptr); }
