#ifdef CHECKS
#define BOUNDS(i, n) if ((i) >= (n)) return;
#else
#define BOUNDS(i, n)
#endif
__attribute__((reqd_work_group_size(16, 4, 1)))
__kernel void tile(__global const float *a, __global float *o, int n)
{
  int i = get_global_id(0);
  BOUNDS(i, n)
  __local float t[4][17];
  t[get_local_id(1)][get_local_id(0)] = a[i];
  BOUNDS(i, n)
  barrier(CLK_LOCAL_MEM_FENCE);
  o[i] = t[get_local_id(1)][15 - get_local_id(0)];
}
