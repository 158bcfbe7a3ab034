#define KEEP(x) asm volatile("" :: "l"(&(x)))
typedef float Row[24];
typedef Row Tile[4];
__global__ void k(float *p) { __shared__ Tile t; KEEP(t); }
__global__ void l(float *p) { __shared__ Row *rp, r2[2]; KEEP(rp); KEEP(r2); }
int main()
{
  k<<<1, sizeof(Tile) / 4>>>(nullptr);
  l<<<1, sizeof(Row) / sizeof(float) * 4>>>(nullptr);
}
