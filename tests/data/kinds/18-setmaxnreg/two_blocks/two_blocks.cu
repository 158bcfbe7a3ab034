template <int R> __device__ void dec() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(R)); }
template <int R> __device__ void inc() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(R)); }
__global__ void __launch_bounds__(384, 2) k(float *o, const float *a) { if (threadIdx.x / 128 == 0) { dec<24>(); o[threadIdx.x] = a[threadIdx.x]; } else { inc<104>(); o[threadIdx.x] = a[threadIdx.x] * 3; } }
int main() { k<<<132, 384>>>(nullptr, nullptr); }
