#define IF_DEBUG if (false)
#define IF_RELEASE if (true)
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  int b = 256;
  IF_DEBUG
    b = 1;
  IF_RELEASE
    b *= 2;
  IF_DEBUG k<<<1, 2048>>>(nullptr);
  k<<<1, b>>>(nullptr);
}
