#include "solve.cuh"
__global__ void solve(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = n; }
int main() { solve<<<1, 192>>>(nullptr, 3); }
