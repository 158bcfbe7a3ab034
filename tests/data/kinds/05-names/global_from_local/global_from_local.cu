static const int block = 256;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  int block = 64;
  k<<<1, block>>>(nullptr);
  k<<<1, ::block>>>(nullptr);
}
