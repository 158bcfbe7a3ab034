struct S { float *x; __device__ ~S() { __shared__ float t[32]; t[threadIdx.x] = x[0]; __syncthreads(); x[3] = t[1]; } };
__global__ void e11(float *o) { S s{o}; }
