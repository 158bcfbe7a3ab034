#define GROUP 128

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sum(int n, __global const float *in, __global float *out) {
    __local float part[GROUP];
    int i = get_global_id(0), own = get_local_id(0);
    part[own] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (own < step) part[own] += part[own + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own == 0) out[get_group_id(0)] = part[0];
}

__kernel void sum_sized_by_host(int n, __global const float *in, __global float *out, __local float *part) {
    int own = get_local_id(0);
    part[own] = get_global_id(0) < n ? in[get_global_id(0)] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own == 0) {
        float all = 0;
        for (int i = 0; i < get_local_size(0); ++i) all += part[i];
        out[get_group_id(0)] = all;
    }
}
