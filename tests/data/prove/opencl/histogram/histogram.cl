#define BINS 2000
#define GROUP 64

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram(int n, __global const uint *keys, __global int *counts) {
    __local int own[BINS];
    for (int i = get_local_id(0); i < BINS; i += get_local_size(0)) own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&own[keys[i] % BINS]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < BINS; i += get_local_size(0)) atomic_add(&counts[i], own[i]);
}
