constexpr int kBlock = 128;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
class Runner {
  int kBlock = 448;
 public:
  void run() { k<<<1, kBlock>>>(nullptr); k<<<1, ::kBlock>>>(nullptr); }
};
int main()
{
  Runner r;
  r.run();
}
