#define FAST
#ifdef SLOW
constexpr int t = 32;
#elifdef FAST
constexpr int t = 416;
#elifndef OTHER
constexpr int t = 64;
#else
constexpr int t = 96;
#endif
__global__ void __launch_bounds__(t) k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, t>>>(nullptr); }
