__global__ void __maxnreg__(128) k(float *o, const float *a) { if (threadIdx.x < 128) { asm volatile("setmaxnreg.dec.sync.aligned.u32 56;"); o[threadIdx.x] = a[threadIdx.x]; } else { asm volatile("setmaxnreg.inc.sync.aligned.u32 200;"); o[threadIdx.x] = a[threadIdx.x] * 3; } }
int main() { k<<<132, 256>>>(nullptr, nullptr); }
