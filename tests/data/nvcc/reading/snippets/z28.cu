template <int n> __global__ void k(float *o) { __shared__ float s[n]; s[threadIdx.x] = 3; __syncthreads(); o[0] = s[1]; }
template <int n> void h(float *o) { k<n><<<1, 1>>>(o); }
#define GO(n) h<n>(o)
void g(float *o, int c) { if (c) GO(32); else GO(64); h<16 * 2>(o); }
