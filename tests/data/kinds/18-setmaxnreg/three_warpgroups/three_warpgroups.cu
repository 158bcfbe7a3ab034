__device__ __forceinline__ void give() { asm volatile("setmaxnreg.dec.sync.aligned.u32 40;\n"); }
__device__ __forceinline__ void take() { asm volatile("setmaxnreg.inc.sync.aligned.u32 232;\n"); }
__global__ void __launch_bounds__(384, 1) k(float *o, const float *a) { if (threadIdx.x < 128) { give(); o[threadIdx.x] = a[threadIdx.x]; } else { take(); o[threadIdx.x] = a[threadIdx.x] * 3; } }
int main() { k<<<132, 384>>>(nullptr, nullptr); }
