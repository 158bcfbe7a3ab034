namespace f32 { __global__ void __launch_bounds__(128) step(float *p) { __shared__ float s[128]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
}
namespace f64 { __global__ void __launch_bounds__(64) step(double *p) { __shared__ double s[64]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
}
__global__ void step(int *p) { p[0] = 1; }
int main()
{
  f32::step<<<1, 128>>>(nullptr);
  f64::step<<<1, 64>>>(nullptr);
  step<<<1, 512>>>(nullptr);
}
