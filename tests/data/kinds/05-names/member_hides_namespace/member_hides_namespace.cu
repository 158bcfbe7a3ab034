constexpr int tile = 16;
struct Traits { static constexpr int tile = 64; static constexpr int area = tile * 2; };
struct Derived : Traits { static constexpr int rows = tile + 32; };
__global__ void k(char *p) { __shared__ char s[Traits::area]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, Derived::rows>>>(nullptr);
  k<<<1, tile>>>(nullptr);
}
