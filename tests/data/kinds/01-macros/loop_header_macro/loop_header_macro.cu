#define REPEAT(n) for (int r_ = 0; r_ < (n); ++r_)
__global__ void inc(int *p) { atomicAdd(p, 1); }
__global__ void dec(int *p) { atomicSub(p, 1); }
int main()
{
  int t = 16;
  REPEAT(3)
    t *= 2;
  inc<<<1, t>>>(nullptr);
  REPEAT(2) dec<<<1, t * 2, 64>>>(nullptr);
}
