int threads = 1024;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
void launch(int threads) { k<<<1, threads>>>(nullptr); }
int main()
{
  launch(160);
}
