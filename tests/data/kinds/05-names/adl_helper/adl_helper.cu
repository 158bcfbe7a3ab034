namespace geo { struct Tag {}; constexpr int block_of(Tag) { return 224; } }
constexpr int block_of(...) { return 32; }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, block_of(geo::Tag{})>>>(nullptr);
  k<<<1, block_of(1)>>>(nullptr);
}
