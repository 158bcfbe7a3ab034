#define GUARD(i, n) if ((i) >= (n)) return;
__device__ float twice(float v) { __shared__ float t[64]; t[threadIdx.x & 63] = v; return t[(threadIdx.x + 1) & 63]; }
__global__ void k(float *x, int n)
{
  int i = threadIdx.x;
  GUARD(i, n)
  x[i] = twice(x[i]);
}
__global__ void l(float *x, int n)
{
  int i = threadIdx.x;
  GUARD(i, n);
  __shared__ double buf[128];
  GUARD(i + 1, n)
  buf[i] = x[i];
  x[i] = (float)buf[i ^ 3];
}
int main() { k<<<1, 64>>>(nullptr, 10); l<<<1, 128>>>(nullptr, 10); }
