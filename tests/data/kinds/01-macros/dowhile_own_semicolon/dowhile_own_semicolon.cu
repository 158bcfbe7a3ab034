#define SYNC do { cudaDeviceSynchronize(); } while (0);
__global__ void fill(float *x) { x[threadIdx.x] = 1.0f; }
__global__ void add(float *x) { x[threadIdx.x] += 1.0f; }
int main()
{
  float *d = nullptr;
  int b = 32;
  SYNC
  b *= 4;
  fill<<<1, b>>>(d);
  SYNC
  b += 64;
  add<<<1, b>>>(d);
  SYNC
}
