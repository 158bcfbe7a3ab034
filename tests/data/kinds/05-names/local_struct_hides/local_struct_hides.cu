struct Item { int a; };
__global__ void k(char *p)
{
  struct Item { double a, b; };
  __shared__ Item s[16];
  s[threadIdx.x].a = p[0]; s[threadIdx.x].b = 1;
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 1].a + s[threadIdx.x ^ 3].b;
}
int main()
{
  k<<<1, sizeof(Item) * 4>>>(nullptr);
}
