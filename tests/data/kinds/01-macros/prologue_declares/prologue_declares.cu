#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x; const int lane = threadIdx.x & 31;
__global__ void k(float *x, int n)
{
  INDEX
  __shared__ float warp[8][33];
  if (i < n) warp[threadIdx.x / 32][lane] = x[i];
  __syncthreads();
  x[i] = warp[threadIdx.x / 32][31 - lane];
}
int main() { k<<<4, 256>>>(nullptr, 10); }
