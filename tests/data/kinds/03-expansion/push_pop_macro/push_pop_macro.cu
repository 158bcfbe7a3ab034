#define TPB 256
#pragma push_macro("TPB")
#undef TPB
#define TPB 64
__global__ void __launch_bounds__(TPB) inner(float *p) { p[threadIdx.x] = 1; }
#pragma pop_macro("TPB")
__global__ void __launch_bounds__(TPB) outer(float *p) { p[threadIdx.x] = 1; }
int main() { inner<<<1, 64>>>(nullptr); outer<<<1, TPB>>>(nullptr); }
