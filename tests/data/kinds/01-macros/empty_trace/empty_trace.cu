#ifdef WITH_TRACE
#define TRACE(msg) printf("%s\n", msg);
#else
#define TRACE(msg)
#endif
__global__ void __launch_bounds__(256) step(float *u, int n) { if (threadIdx.x < n) u[threadIdx.x] += 1; }
int main()
{
  int block = 512;
  TRACE("before")
  block /= 2;
  TRACE("launch")
  step<<<4, block>>>(nullptr, 10);
  TRACE("after")
}
