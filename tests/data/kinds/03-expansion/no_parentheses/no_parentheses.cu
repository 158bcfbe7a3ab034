#define BASE 32 + 32
#define DOUBLE(x) 2 * x
#define SQ(x) x * x
__global__ void k(char *p) { __shared__ char s[BASE * 4]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, DOUBLE(BASE)>>>(nullptr); k<<<1, SQ(4 + 4)>>>(nullptr); }
