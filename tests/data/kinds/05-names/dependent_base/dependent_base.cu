template <class T> struct Base { static constexpr int width = 8; };
constexpr int width = 4;
template <class T> struct D : Base<T> { static constexpr int a = width; static constexpr int b = D::width; };
__global__ void k(char *p) { __shared__ char s[D<int>::a * 32]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, D<int>::b * 32>>>(nullptr);
}
