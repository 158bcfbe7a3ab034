struct S { __device__ static void init() { __shared__ float t[32]; t[threadIdx.x] = 3; } float v; __device__ S &operator=(float f) { __shared__ float u[8]; u[threadIdx.x] = f; __syncthreads(); v = u[1]; return *this; } };
__global__ void e11(float *o) { S s; s = o[1]; o[0] = s.v; }
