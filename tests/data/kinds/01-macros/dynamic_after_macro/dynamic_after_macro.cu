#define PROFILE_RANGE(name)
__global__ void k(float *x)
{
  PROFILE_RANGE("load")
  extern __shared__ float dyn[];
  PROFILE_RANGE("store")
  dyn[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = dyn[threadIdx.x ^ 1];
}
int main()
{
  size_t bytes = 256;
  PROFILE_RANGE("main")
  bytes *= sizeof(float);
  PROFILE_RANGE("launch")
  k<<<1, 256, bytes>>>(nullptr);
}
