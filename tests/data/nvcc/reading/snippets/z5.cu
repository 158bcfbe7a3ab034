__device__ void fs(float *x) { __shared__ float t[32]; t[threadIdx.x] = x[0]; __syncthreads(); x[3] = t[1]; }
__global__ void e11(float *o) { auto f = [=] { fs(o); }; f(); }
__global__ void e12(float *o) { void (*g)(float *) = &fs; g(o); }
__global__ void e13(float *o) { (fs)(o); }
__global__ void e14(float *o) { (*fs)(o); }
__global__ void e15(float *o) { o[0] > 1 ? fs(o) : (void)0; }
