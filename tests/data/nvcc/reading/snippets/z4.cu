template <class T> struct Bx { __device__ void fs(T *x) { __shared__ T t[32]; t[threadIdx.x] = x[0]; __syncthreads(); x[3] = t[1]; } };
__global__ void e11(float *o) { Bx<float> b; b.fs(o); }
__global__ void e12(double *o) { Bx<double>().fs(o); }
__global__ void e13(double *o) { Bx<double> b; Bx<double> *p = &b; p->fs(o); }
struct Der : Bx<double> {};
__global__ void e14(double *o) { Der d; d.fs(o); }
