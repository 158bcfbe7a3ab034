#define SHAPE dim3(16, \
  8, \
  2)
#define CONST\
ANT 96
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, SHAPE>>>(nullptr); k<<<1, CONST\
ANT>>>(nullptr); }
