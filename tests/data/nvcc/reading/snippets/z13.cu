template <int n> __global__ void k(float *o) { __shared__ float s[n]; s[threadIdx.x] = 3; __syncthreads(); o[0] = s[1]; }
template <int n> void h(float *o) { if (n > 4) k<n><<<1, 1>>>(o); else k<4><<<1, 1>>>(o); }
void g(float *o) { h<3>(o); h<8>(o); void *p = (void *)k<11>; cudaLaunchKernel(p, 1, 1, 0, 0, 0); cudaFuncSetAttribute(k<13>, cudaFuncAttributeMaxDynamicSharedMemorySize, 3); }
