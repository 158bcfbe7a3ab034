#define CUDA_CALL(c) { if ((c) != cudaSuccess) return 1; }
__global__ void init(int *p) { p[threadIdx.x] = 0; }
int main()
{
  int *p;
  int n = 48;
  CUDA_CALL(cudaMalloc((void **)&p, 1000))
  CUDA_CALL(cudaDeviceSynchronize())
  n += 48;
  CUDA_CALL(cudaGetLastError())
  init<<<1, n, n * sizeof(int)>>>(p);
  CUDA_CALL(cudaGetLastError())
  return 0;
}
