constexpr int n = 32;
struct S { enum { n = ::n * 2, m = n + 1 }; };
__global__ void k(char *p) { __shared__ char s[S::m]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  const int m = n;
  { const int n = S::n + m; k<<<1, n>>>(nullptr); }
}
