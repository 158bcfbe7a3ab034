#include <cstdio>
#define REPORT if (cudaGetLastError()) { printf("bad\n"); } else { printf("ok\n"); }
__global__ void k(float *p) { p[threadIdx.x] = 0; }
__global__ void q(float *p) { p[threadIdx.x] = 3; }
int main(int argc, char **)
{
  int n = 96;
  REPORT
  if (argc > 1) n = 192; else n = 320;
  k<<<2, n>>>(nullptr);
  REPORT
  q<<<2, n / 2>>>(nullptr);
  REPORT
}
