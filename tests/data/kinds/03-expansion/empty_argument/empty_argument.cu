#define ADD(a, b) (0 a + b)
#define FIRST(a, ...) a
#define COUNT_(a, b, c, d, n, ...) n
#define COUNT(...) COUNT_(__VA_ARGS__, 4, 3, 2, 1, 0)
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, ADD(, 64)>>>(nullptr);
  k<<<1, ADD(+ 32, 96)>>>(nullptr);
  k<<<1, 32 * COUNT(a, b, c)>>>(nullptr);
  k<<<1, FIRST(224, 1, 2)>>>(nullptr);
}
