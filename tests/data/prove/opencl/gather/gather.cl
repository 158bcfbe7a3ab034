// What the global size is, the caller decides: a multiple of today's size is one of what divides it.
#define GROUP 1024

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gather(__global const int *index, __global const float8 *in, __global float8 *out) {
    __local float8 line[GROUP];
    __local float2 more[GROUP];
    line[get_local_id(0)] = in[index[get_global_id(0)]];
    more[get_local_id(0)] = line[get_local_id(0)].s01;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = line[get_local_id(0) ^ 1] * more[get_local_id(0) ^ 2].x;
}
