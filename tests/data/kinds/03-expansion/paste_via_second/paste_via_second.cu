#define GLUE(a, b) a##b
#define JOIN(a, b) GLUE(a, b)
#define PREFIX threads_
#define KIND wide
constexpr int threads_wide = 512, threads_KIND = 64;
constexpr int PREFIXwide = 32;
__global__ void __launch_bounds__(JOIN(PREFIX, KIND)) k(float *p) { p[threadIdx.x] = 1; }
__global__ void __launch_bounds__(GLUE(PREFIX, wide)) l(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, JOIN(threads_, KIND)>>>(nullptr); l<<<1, GLUE(threads_, KIND) / 2>>>(nullptr); }
