constexpr int width = 128;
namespace fast {
constexpr int width = 32;
__global__ void k(char *p) { __shared__ char s[::width]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void l(char *p) { __shared__ char s[width]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
inline void go() { k<<<1, ::width>>>(nullptr); l<<<1, width>>>(nullptr); }
}
int main()
{
  fast::go();
}
