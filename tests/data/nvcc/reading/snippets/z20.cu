#define DECL(n) __shared__ float n[64];
__global__ void e11(float *o) { DECL(bm) DECL(cm) bm[threadIdx.x] = 1; cm[threadIdx.x]=2; __syncthreads(); o[0] = bm[1]+cm[1]; }
