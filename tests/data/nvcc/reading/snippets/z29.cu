template <int n> __global__ void k(float *o) { __shared__ float s[n]; s[threadIdx.x] = 3; __syncthreads(); o[0] = s[1]; }
template <int n> struct Lz { static void go(float *o) { k<n><<<1, 1>>>(o); } };
void g(float *o, int c) { Lz<8>::go(o); Lz<80> l; l.go(o); k<9><<<1,1>>>(o); }
