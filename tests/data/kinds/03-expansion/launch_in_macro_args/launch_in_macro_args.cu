#define LAUNCH(kernel, n, ...) kernel<<<((n) + 127) / 128, 128>>>(__VA_ARGS__)
#define LAUNCH_SMEM(kernel, b, bytes, ...) (kernel<<<1, b, bytes>>>(__VA_ARGS__))
__global__ void k(float *p, int n) { p[threadIdx.x] = n; }
__global__ void l(float *p) { extern __shared__ char c[]; p[threadIdx.x] = c[threadIdx.x]; }
int main() { float *d = nullptr; LAUNCH(k, 1000, d, 3); LAUNCH_SMEM(l, 64 + 32, 96 * 2, d); }
