#define AND_CHECK ; cudaDeviceSynchronize();
__global__ void a(float *p) { p[threadIdx.x] = 1; }
__global__ void b(float *p) { p[threadIdx.x] = 1; }
int main()
{
  a<<<1, 64>>>(nullptr) AND_CHECK
  b<<<1, 128, 256>>>(nullptr) AND_CHECK
}
