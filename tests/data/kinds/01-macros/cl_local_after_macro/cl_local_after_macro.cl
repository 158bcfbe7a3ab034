#define PROLOGUE const size_t g = get_global_id(0); const size_t l = get_local_id(0);
#define NOTE {}
__attribute__((reqd_work_group_size(128, 1, 1)))
__kernel void scan(__global float *x)
{
  PROLOGUE
  __local float buf[128];
  NOTE
  buf[l] = x[g];
  NOTE
  barrier(CLK_LOCAL_MEM_FENCE);
  x[g] = buf[127 - l];
}
