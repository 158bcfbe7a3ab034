#define N 32 /* rows
of a tile */ * 4 // columns
#define M(a /* left */, b) a /**/ + b
__global__ void k(float *p) { __shared__ char s[N]; s[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, M(N, 32)>>>(nullptr); }
