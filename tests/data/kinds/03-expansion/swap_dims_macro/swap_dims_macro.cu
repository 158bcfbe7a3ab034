#define SWAP(a, b) { auto tmp_ = a; a = b; b = tmp_; }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  dim3 block(8, 32);
  int small = 16, large = 128;
  SWAP(block.x, block.y)
  SWAP(small, large);
  k<<<1, block>>>(nullptr);
  k<<<1, small>>>(nullptr);
}
