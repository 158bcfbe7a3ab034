__global__ void __launch_bounds__(512) k(float *o, const float *a) { if (threadIdx.x < 128) { asm volatile("setmaxnreg.dec.sync.aligned.u32 32;"); o[threadIdx.x] = a[threadIdx.x]; } else { asm volatile("setmaxnreg.inc.sync.aligned.u32 152;"); o[threadIdx.x] = a[threadIdx.x] * 3; } }
int main() { k<<<132, 512>>>(nullptr, nullptr); }
