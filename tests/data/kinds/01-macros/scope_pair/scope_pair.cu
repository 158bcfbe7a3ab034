#define BEGIN_TIMED { int ticks = 0;
#define END_TIMED (void)ticks; }
__global__ void k1(float *p) { p[threadIdx.x] = 1; }
__global__ void k2(float *p) { p[threadIdx.x] = 2; }
int main()
{
  int b = 64;
  BEGIN_TIMED
  int b = 256;
  k1<<<1, b>>>(nullptr);
  END_TIMED
  k2<<<1, b>>>(nullptr);
}
