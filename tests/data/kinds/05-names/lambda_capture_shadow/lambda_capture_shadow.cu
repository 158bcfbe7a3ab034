__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  int t = 64;
  auto go = [t](int u) { int t = u * 2; k<<<1, t>>>(nullptr); };
  auto same = [=] { k<<<1, t>>>(nullptr); };
  go(80);
  t = 500;
  same();
}
