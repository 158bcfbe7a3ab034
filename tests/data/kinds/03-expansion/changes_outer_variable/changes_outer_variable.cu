#define GROW n *= 2
#define SET_BYTES(e) bytes = (e) * sizeof(float)
__global__ void k(float *p) { p[threadIdx.x] = 1; }
__global__ void l(float *p) { extern __shared__ float s[]; p[threadIdx.x] = s[threadIdx.x]; }
int main()
{
  int n = 32; size_t bytes = 0;
  GROW; GROW;
  k<<<1, n>>>(nullptr);
  SET_BYTES(n * 3);
  l<<<1, n, bytes>>>(nullptr);
}
