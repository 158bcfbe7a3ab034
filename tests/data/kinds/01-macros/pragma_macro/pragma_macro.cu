#define UNROLL _Pragma("unroll")
__global__ void dot(const float *a, float *o)
{
  __shared__ float acc[128];
  float s = 0;
  UNROLL
  for (int i = 0; i < 4; ++i) s += a[threadIdx.x + 128 * i];
  acc[threadIdx.x] = s;
  __syncthreads();
  o[threadIdx.x] = acc[threadIdx.x ^ 1];
}
int main() { dot<<<1, 128>>>(nullptr, nullptr); }
