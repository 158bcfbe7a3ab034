#define check_launch { if (cudaPeekAtLastError()) return; }
__global__ void spmv(const float *v, float *y) { y[threadIdx.x] = v[threadIdx.x]; }
void solve(int wide)
{
  unsigned tpb = 32;
  check_launch
  tpb <<= 3;
  check_launch
  if (wide) { tpb = 1024; }
  spmv<<<1, tpb>>>(nullptr, nullptr);
  check_launch
}
int main(int argc, char **) { solve(argc - 1); }
