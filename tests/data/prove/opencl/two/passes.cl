// Both are launched with the same size.
#define LANES 96

__kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void rows(int n, __global const float *in, __global float *out) {
    __local float line[LANES][6];
    int own = get_local_id(0), i = get_global_id(0);
    for (int k = 0; k < 6; ++k) line[own][k] = i < n ? in[i * 6 + k] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) out[i] = line[own][0] + line[LANES - 1 - own][5];
}

__kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void sums(int n, __global const float *in, __global float *out) {
    __local float all[LANES];
    int own = get_local_id(0), i = get_global_id(0);
    all[own] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own == 0) {
        float sum = 0;
        for (int k = 0; k < LANES; ++k) sum += all[k];
        out[get_group_id(0)] = sum;
    }
}
