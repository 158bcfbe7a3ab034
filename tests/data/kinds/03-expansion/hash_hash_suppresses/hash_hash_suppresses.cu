#define N 3
#define N3 128
#define NN 64
#define CAT(a, b) a##b
#define CAT2(a, b) CAT(a, b)
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, CAT(N, N)>>>(nullptr);
  k<<<1, CAT2(N, N)>>>(nullptr);
  k<<<1, CAT(N, 3)>>>(nullptr);
}
