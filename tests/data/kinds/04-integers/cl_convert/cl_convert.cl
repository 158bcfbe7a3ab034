#define MASK (~0u >> 25)
#if -1 < 0u
#define R 4
#else
#define R 2
#endif
enum { ROWS = (-1 < 1u) ? 8 : 3 };
__attribute__((reqd_work_group_size(64, R, 1)))
__kernel void k(__global float *p)
{
  __local float a[MASK], b[ROWS];
  a[get_local_id(0)] = p[0]; b[get_local_id(0) % ROWS] = p[1];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[0] = a[get_local_id(1)] + b[get_local_id(1)];
}
