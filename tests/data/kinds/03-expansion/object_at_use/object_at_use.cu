#define WIDTH 16
#define AREA (WIDTH * WIDTH)
#undef WIDTH
#define WIDTH 8
__global__ void __launch_bounds__(AREA) k(float *p) { __shared__ float s[AREA]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, AREA>>>(nullptr); }
