constexpr int alpha = 64, beta = 128;
#define alpha beta + 1
#define beta alpha + 2
__global__ void k(float *p) { __shared__ char s[alpha]; s[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void l(float *p) { __shared__ char s[beta]; s[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, alpha>>>(nullptr); l<<<1, beta>>>(nullptr); }
