// occupancy: device=adreno-730
__attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16)))
__kernel void tile(__global const float *in, __global float *out)
{
    __local float window[8192];
    window[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = window[63 - get_local_id(0)];
}
