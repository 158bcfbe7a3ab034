#define CHECK { cudaDeviceSynchronize(); }
__global__ void k(float *p) { p[threadIdx.x] = 0; }
__global__ void m(float *p) { p[threadIdx.x] = 0; }
int main(int argc, char **)
{
  int bs = 64;
  if (argc > 1)
    CHECK
  bs = 256;
  k<<<1, bs>>>(nullptr);
  if (argc > 1) CHECK else bs = 1024;
  m<<<1, bs>>>(nullptr);
}
