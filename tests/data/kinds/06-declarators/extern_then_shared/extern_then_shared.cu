#define KEEP(x) asm volatile("" :: "l"(&(x)))
extern __shared__ float dyn[];
extern int (*lookup)(int);
__global__ void k(float *p) { float (*rows)[16] = (float (*)[16])dyn; rows[threadIdx.x / 16][threadIdx.x % 16] = 1; __syncthreads(); p[threadIdx.x] = rows[0][threadIdx.x ^ 1]; }
int main()
{
  constexpr int bytes = sizeof(float[16]) * 5;
  k<<<1, 80, bytes>>>(nullptr);
}
