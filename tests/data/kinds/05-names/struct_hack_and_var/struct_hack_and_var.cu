struct stat { char c[48]; };
constexpr int stat = 3;
__global__ void k(char *p) { __shared__ char s[sizeof(struct stat)]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, 32 * stat>>>(nullptr);
}
