// Two files launch it.
#define SIZE 96

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void twice(int n, __global float *x) {
    __local float copy[2][SIZE + 1];
    int i = get_global_id(0), own = get_local_id(0);
    copy[0][own] = i < n ? x[i] : 0;
    copy[1][own] = copy[0][own] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) x[i] = copy[1][SIZE - 1 - own];
}
