#define DONE { cudaDeviceSynchronize(); }
__global__ void __launch_bounds__(256) k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  int b = 512;
  DONE
  b /= 2;
  k<<<1, b>>>(nullptr);
  DONE
}
