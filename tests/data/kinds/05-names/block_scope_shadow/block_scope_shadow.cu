__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  int t = 128;
  { int t = 32; k<<<1, t>>>(nullptr); }
  for (int t = 64; t < 128; t += 64) k<<<1, t>>>(nullptr);
  if (int t = 96) k<<<1, t>>>(nullptr);
  k<<<1, t>>>(nullptr);
}
