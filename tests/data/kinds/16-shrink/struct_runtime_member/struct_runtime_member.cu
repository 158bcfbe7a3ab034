struct Scratch { float rows[1024]; int flag; double pad[400]; };
__global__ void k(float *x)
{
  __shared__ Scratch s;
  s.rows[threadIdx.x] = x[threadIdx.x];
  s.flag = 1;
  __syncthreads();
  x[threadIdx.x] = s.rows[threadIdx.x ^ 1] + s.flag;
}
int main() { k<<<1, 256>>>(nullptr); }
