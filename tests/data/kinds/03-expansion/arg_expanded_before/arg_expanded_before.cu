#define F(x) x + 1
#define G(x) F(F(x)) * 2
#define H(x) (G(x))
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, H(30)>>>(nullptr); k<<<1, G(100)>>>(nullptr); }
