#define BLOCK_X 32
#define BLOCK_Y (BLOCK_X / 4)
__global__ void __launch_bounds__(BLOCK_X *BLOCK_Y) k(float *p) { __shared__ float s[BLOCK_Y][BLOCK_X + 1]; s[threadIdx.y][threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x & 7][threadIdx.y]; }
int main() { k<<<1, dim3(BLOCK_X, BLOCK_Y)>>>(nullptr); }
