#define OTHERWISE else
__global__ void small(float *p) { p[threadIdx.x] = 1; }
__global__ void large(float *p) { p[threadIdx.x] = 1; }
int main(int argc, char **)
{
  int b;
  if (argc > 1)
    b = 1024;
  OTHERWISE
    b = 32;
  small<<<1, b>>>(nullptr);
  if (argc > 1) { b = 128; } OTHERWISE { b = 256; }
  large<<<1, b>>>(nullptr);
}
