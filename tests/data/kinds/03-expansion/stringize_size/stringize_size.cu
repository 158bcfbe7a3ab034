#define STR(x) #x
#define XSTR(x) STR(x)
#define VERSION 12345
__global__ void k(char *p) { __shared__ char s[sizeof(STR(VERSION))]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void l(char *p) { __shared__ char s[sizeof(XSTR(VERSION))]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, sizeof(STR(VERSION)) * 4>>>(nullptr); l<<<1, sizeof(XSTR(a b  "c"))>>>(nullptr); }
