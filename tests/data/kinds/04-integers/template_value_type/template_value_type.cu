template <unsigned char N> struct Size { static constexpr int value = N + 1; };
template <int N> struct Wide { static constexpr int value = N + 1; };
__global__ void k(char *p) { __shared__ char s[Size<255>::value]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void l(int *p) { __shared__ int s[(Wide<255>::value)]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, Size<255>::value>>>(nullptr);
  l<<<1, Wide<95>::value>>>(nullptr);
}
