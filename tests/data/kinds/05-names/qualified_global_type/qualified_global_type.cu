struct Vec { float x; };
namespace m { struct Vec { double x, y, z; };
__global__ void k(char *p) { __shared__ char s[sizeof(::Vec) * 8]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void l(char *p) { __shared__ char s[sizeof(Vec) * 8]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
}
int main()
{
  m::k<<<1, 32>>>(nullptr);
  m::l<<<1, sizeof(m::Vec) * 8>>>(nullptr);
}
