#define MAKE(T, N) \
  __attribute__((reqd_work_group_size(N, 1, 1))) \
  __kernel void reverse_##T(__global T *x) \
  { \
    __local T t[N]; \
    t[get_local_id(0)] = x[get_global_id(0)]; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    x[get_global_id(0)] = t[N - 1 - get_local_id(0)]; \
  }
MAKE(float, 64)
MAKE(ulong, 32)
MAKE(char, 256)
