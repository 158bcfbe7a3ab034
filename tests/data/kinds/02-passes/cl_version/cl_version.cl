#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define L 64
#else
#define L 16
#endif
#ifdef __CUDA_ARCH__
#define R 8
#else
#define R 2
#endif
__attribute__((reqd_work_group_size(L, R, 1)))
__kernel void k(__global float *p)
{
  __local float t[L * R];
  t[get_local_id(0)] = p[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[0] = t[get_local_id(1)];
}
