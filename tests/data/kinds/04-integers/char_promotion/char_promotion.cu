constexpr unsigned char a = 200, b = 100;
constexpr int sum = a + b;
constexpr unsigned char wrapped = a + b;
__global__ void k(char *p) { __shared__ char s[sum]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void l(char *p) { __shared__ char s[wrapped]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, sum>>>(nullptr);
  l<<<1, wrapped>>>(nullptr);
}
