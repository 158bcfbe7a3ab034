#define SUFFIX(x) x##u
#define HEX(x) 0x##x
#define EXPT(a) 1##a
__global__ void k(float *p) { __shared__ char s[HEX(40)]; s[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, SUFFIX(64)>>>(nullptr); k<<<1, EXPT(28), HEX(ff)>>>(nullptr); }
