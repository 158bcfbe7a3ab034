#define KERNELS(X) X(alpha) X(beta)
#define DEFINE(n) __global__ void n##_kernel(char *x) { __shared__ char s[sizeof(#n) * 16]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
KERNELS(DEFINE)
#define GO(n) n##_kernel<<<1, 16 * sizeof(#n)>>>(nullptr);
int main() { KERNELS(GO) }
