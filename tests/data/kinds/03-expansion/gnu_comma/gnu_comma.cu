#define MAKE(a, args...) dim3(a, ##args)
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, MAKE(48)>>>(nullptr); k<<<1, MAKE(8, 4, 2)>>>(nullptr); }
