struct Scratch { float big[8000]; int flag; float total; };
__global__ void k(float *x)
{
  __shared__ Scratch s;
  if (threadIdx.x == 0) { s.flag = 1; s.total = x[0]; }
  __syncthreads();
  x[threadIdx.x] = s.total + s.flag;
}
int main() { k<<<1, 256>>>(nullptr); }
