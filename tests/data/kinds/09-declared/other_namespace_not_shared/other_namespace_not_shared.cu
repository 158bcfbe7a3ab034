namespace a { __global__ void __launch_bounds__(64) k(float *x); }
namespace b { __global__ void k(float *x) { x[threadIdx.x] = 1; } }
namespace a { __global__ void k(float *x) { x[threadIdx.x] = 1; } }
int main() { b::k<<<1, 640>>>(nullptr); a::k<<<1, 64>>>(nullptr); }
