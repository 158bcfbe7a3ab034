#define AT_LINE(x) x
#line 100
constexpr int here = __LINE__; 
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, here>>>(nullptr); constexpr int c0 = __COUNTER__, c1 = __COUNTER__; k<<<1, 64 * (c1 - c0)>>>(nullptr); }
