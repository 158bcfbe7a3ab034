#define RETURN_ON_ERROR if (cudaGetLastError() != cudaSuccess) return 1;
__global__ void a(int *p) { p[threadIdx.x] = 1; }
__global__ void b(int *p) { p[threadIdx.x] = 2; }
int run(int *p, int n)
{
  dim3 block(64, 2);
  a<<<n, block>>>(p);
  RETURN_ON_ERROR
  block.y = 4;
  b<<<n, block>>>(p);
  RETURN_ON_ERROR
  return 0;
}
int main() { return run(nullptr, 3); }
