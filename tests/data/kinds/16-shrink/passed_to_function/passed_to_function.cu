__device__ __noinline__ void put(float *a, float v) { a[threadIdx.x] = v; }
__device__ __forceinline__ float first(const float *a) { return a[0]; }
__global__ void k(float *x) { __shared__ float s[300]; put(s, x[0]); __syncthreads(); x[threadIdx.x] = s[0]; }
__global__ void l(float *x) { __shared__ float s[300]; s[0] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = first(s); }
int main() { k<<<1, 32>>>(nullptr); l<<<1, 32>>>(nullptr); }
