#define SKIP_EMPTY(n) if ((n) == 0) continue;
__global__ void part(float *p) { p[threadIdx.x] = 1; }
int main()
{
  const int sizes[] = {64, 0, 160};
  for (int i = 0; i < 3; ++i) {
    SKIP_EMPTY(sizes[i])
    part<<<1, sizes[i]>>>(nullptr);
  }
}
