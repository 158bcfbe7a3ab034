#define DECLARE_SHAPE dim3 grid(8), block(128);
__global__ void copy(float *o, const float *i) { o[threadIdx.x] = i[threadIdx.x]; }
int main()
{
  DECLARE_SHAPE
  block.x *= 2;
  copy<<<grid, block>>>(nullptr, nullptr);
}
