// The host must launch these with the sizes that they require: no edit here alone can change them.
#define SIDE 16

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void multiply(int n, __global const float *a, __global const float *b, __global float *c) {
    __local float s[SIDE][SIDE + 1];
    __local float t[SIDE][SIDE + 1];
    int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += SIDE) {
        s[j][i] = a[y * n + k + i];
        t[j][i] = b[(k + j) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 0; d < SIDE; ++d) sum += s[j][d] * t[d][i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

__kernel __attribute__((reqd_work_group_size(512, 1, 1)))
void line(int n, __global const float *in, __global float *out) {
    __local float all[512 + 2];
    int i = get_global_id(0);
    all[get_local_id(0) + 1] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = all[get_local_id(0)] + all[get_local_id(0) + 2];
}
