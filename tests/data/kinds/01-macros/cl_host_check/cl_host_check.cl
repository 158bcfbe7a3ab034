__kernel void saxpy(float a, __global const float *x, __global float *y)
{
  y[get_global_id(0)] += a * x[get_global_id(0)];
}
__kernel void norm(__global float *y, __local float *t)
{
  t[get_local_id(0)] = y[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = t[0];
}
