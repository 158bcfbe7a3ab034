#define TRACE
#define CHECK { cudaDeviceSynchronize(); }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
__global__ void l(float *p) { p[threadIdx.x] = 1; }
int main()
{
  int b = 100;
  TRACE CHECK b = 160;
  CHECK TRACE k<<<1, b>>>(nullptr);
  TRACE TRACE CHECK l<<<1, b, 32>>>(nullptr);
}
