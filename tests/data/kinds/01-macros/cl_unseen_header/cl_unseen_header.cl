#include "utils/error.h"
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void k(__global int *p)
{
  int l = get_local_id(0);
  DEV_NOTE
  __local int t[64];
  t[l] = p[l];
  DEV_NOTE
  barrier(CLK_LOCAL_MEM_FENCE);
  p[l] = t[63 - l];
}
