namespace tuned { constexpr int tpb = 192; }
constexpr int tpb = 32;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  {
    using tuned::tpb;
    k<<<1, tpb>>>(nullptr);
  }
  k<<<1, tpb * 2>>>(nullptr);
}
