#define size(n) ((n) * 100)
constexpr int size = 160;
#define CALL(f, x) f(x)
__global__ void k(float *p) { p[threadIdx.x] = 1; }
__global__ void l(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, size>>>(nullptr); l<<<1, CALL(size, 2)>>>(nullptr); k<<<1, size (3)>>>(nullptr); }
