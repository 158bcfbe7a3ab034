#ifdef TYPE
__attribute__((reqd_work_group_size(SIZE, 1, 1)))
__kernel void scan_body(__global TYPE *x)
{
  __local TYPE t[SIZE];
  t[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[SIZE - 1 - get_local_id(0)];
}
#endif
