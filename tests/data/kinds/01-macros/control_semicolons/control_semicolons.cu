#define CHECK do { cudaDeviceSynchronize(); } while (0)
__global__ void k(float *p) { p[threadIdx.x] = 1; }
__global__ void l(float *p) { p[threadIdx.x] = 1; }
int main()
{
  int b = 64;
  CHECK;
  b *= 2;
  k<<<1, b>>>(nullptr);
  CHECK;
  l<<<1, b + 32, 2 * b>>>(nullptr);
  CHECK;
}
