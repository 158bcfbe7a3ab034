typedef float value_t;
namespace dbl { typedef double value_t;
__global__ void k(float *p) { __shared__ value_t s[64]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void l(float *p) { __shared__ ::value_t s[64]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; } }
int main()
{
  dbl::k<<<1, 64>>>(nullptr);
  dbl::l<<<1, 64, sizeof(value_t) * 64>>>(nullptr);
}
