__global__ void k(float *o, const float *a) { if (threadIdx.x < 128) { asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); o[threadIdx.x] = a[threadIdx.x]; } else { asm volatile("setmaxnreg.inc.sync.aligned.u32 232;"); o[threadIdx.x] = a[threadIdx.x] * 3; } }
int main() { k<<<132, 384>>>(nullptr, nullptr); }
