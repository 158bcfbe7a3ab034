#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define VEC 4
#define FLOATN CAT(float, VEC)
#define LX 32
#define GROUP(x) __attribute__((reqd_work_group_size(x, VEC, 1)))
GROUP(LX)
__kernel void CAT(load_, VEC)(__global FLOATN *p)
{
  __local FLOATN t[LX * VEC];
  t[get_local_id(0)] = p[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[1] = t[get_local_id(1)];
}
