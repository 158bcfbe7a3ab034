#define BODY(T) \
  __shared__ T bm[64]; \
  bm[threadIdx.x] = 1; __syncthreads(); o[0] = bm[1];
__global__ void e11(float *o) { 
  BODY(float)
}
