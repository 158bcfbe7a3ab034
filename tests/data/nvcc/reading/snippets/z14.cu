template <class T> __global__ void k(T *o) { __shared__ T s[4]; s[threadIdx.x] = 3; __syncthreads(); o[0] = s[1]; }
template <class T> void h(T *o) { k<<<1, 1>>>(o); }
void g(float *o, double *d) { h(o); h(d); k((short*)0); auto z = &k<char>; }
template <class T> struct Lz { void go(T *t) { k<T><<<1, 1>>>(t); } }; template struct Lz<long>;
