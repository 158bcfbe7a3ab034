#define STAGE(n)
#define FENCE barrier(CLK_LOCAL_MEM_FENCE);
__attribute__((reqd_work_group_size(1024, 1, 1)))
__kernel void first(__global float *x)
{
  size_t i = get_global_id(0);
  STAGE(1)
  barrier(CLK_GLOBAL_MEM_FENCE);
  x[i] += x[i ^ 1];
}
__attribute__((reqd_work_group_size(1024, 1, 1)))
__kernel void second(__global float *x)
{
  size_t i = get_global_id(0);
  FENCE
  x[i] += x[i ^ 1];
}
