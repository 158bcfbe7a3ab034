#define EMPTY
#define DEFER(x) x EMPTY
#define HALF() 64
#define EXPAND(...) __VA_ARGS__
constexpr int HALF_plain = 0;
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, EXPAND(DEFER(HALF)())>>>(nullptr); k<<<1, 2 * HALF()>>>(nullptr); }
