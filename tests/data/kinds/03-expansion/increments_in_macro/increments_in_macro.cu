#define NEXT (step++)
#define BUMP(v) (v += 32, v)
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  int step = 2, t = 32;
  int a = NEXT * 32, b = NEXT * 32;
  k<<<1, a>>>(nullptr);
  k<<<1, b>>>(nullptr);
  k<<<1, BUMP(t) * step>>>(nullptr);
}
