#define MODULE(name) extern const char *name##_version;
#define EXPORTS
MODULE(core)
__global__ void __launch_bounds__(96) k(float *p) { p[threadIdx.x] = 1; }
EXPORTS
static const int kThreads = 96;
MODULE(extra)
int main()
{
  k<<<1, kThreads>>>(nullptr);
}
