__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main(int argc, char **)
{
  unsigned char blocks = 255;
  ++blocks;
  unsigned short t = 65535;
  t += 97;
  if (argc > 1) t *= 2;
  k<<<1, t + blocks>>>(nullptr);
}
