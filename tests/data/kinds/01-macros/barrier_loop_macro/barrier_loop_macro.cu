#define FOR_HALVES(s) for (int s = 64; s > 0; s >>= 1)
__global__ void sum(float *x)
{
  __shared__ float t[128];
  t[threadIdx.x] = x[threadIdx.x];
  FOR_HALVES(s) {
    __syncthreads();
    if (threadIdx.x < s) t[threadIdx.x] += t[threadIdx.x + s];
  }
  x[threadIdx.x] = t[threadIdx.x & 7];
}
int main() { sum<<<1, 128>>>(nullptr); }
