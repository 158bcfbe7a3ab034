#ifndef PASS
#define PASS 1
#define FN pass1
#include "self_include.cu"
#undef PASS
#undef FN
#define PASS 2
#define FN pass2
#include "self_include.cu"
int main() { pass1<<<1, 64>>>(nullptr); pass2<<<1, 128>>>(nullptr); }
#else
__global__ void FN(char *x) { __shared__ char s[PASS * 64]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
#endif
