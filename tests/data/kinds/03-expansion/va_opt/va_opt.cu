#define SUM(a, ...) (a __VA_OPT__(+) __VA_ARGS__)
#define BYTES(t, ...) (sizeof(t) __VA_OPT__(* (__VA_ARGS__)))
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, SUM(64)>>>(nullptr); k<<<1, SUM(64, 32), BYTES(double, 4, 40)>>>(nullptr); k<<<1, 128, BYTES(float)>>>(nullptr); }
