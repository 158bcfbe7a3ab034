struct Packet { int id; float w[3]; };
constexpr int delta = -4;
constexpr int rows = delta < sizeof(Packet) ? 32 : 96;
__global__ void k(float *p) { __shared__ float s[rows]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, rows>>>(nullptr);
}
