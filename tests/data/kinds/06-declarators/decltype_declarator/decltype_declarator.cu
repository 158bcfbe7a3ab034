#define KEEP(x) asm volatile("" :: "l"(&(x)))
extern float (*table)[12];
extern int grid[6][7];
__global__ void k(float *p) { __shared__ decltype(grid) g; KEEP(g); }
__global__ void l(float *p) { __shared__ decltype(table) t; KEEP(t); }
int main()
{
  k<<<1, sizeof(*grid)>>>(nullptr);
  l<<<1, sizeof(*table)>>>(nullptr);
}
