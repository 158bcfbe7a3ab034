template <int n> __global__ void k(float *o) { __shared__ float s[n]; s[threadIdx.x] = 3; __syncthreads(); o[0] = s[1]; }
struct D { template <int n> static void run(float *o) { k<n><<<1, 1>>>(o); } };
template <class P> void disp(float *o) { P::template run<12>(o); }
void g(float *o, int c) { disp<D>(o); k<90><<<1,1>>>(o); }
