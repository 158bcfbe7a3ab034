#define SUFFIX _v2
#define NAME2(n, s) n##s
#define NAME1(n, s) NAME2(n, s)
#define NAME(n) NAME1(n, SUFFIX)
__global__ void __launch_bounds__(192) NAME(gemm)(float *x) { x[threadIdx.x] = 1; }
__global__ void __launch_bounds__(64) gemm(float *x) { x[threadIdx.x] = 2; }
int main() { NAME(gemm)<<<1, 192>>>(nullptr); gemm<<<1, 32>>>(nullptr); }
