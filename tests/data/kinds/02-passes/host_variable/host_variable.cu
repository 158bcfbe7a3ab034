int main()
{
#ifdef __CUDA_ARCH__
  const int tpb = 64;
#else
  const int tpb = 640;
#endif
  extern void go(int);
  go(tpb);
}
__global__ void k(float *p) { p[threadIdx.x] = 1; }
void go(int tpb) { k<<<1, tpb>>>(nullptr); }
