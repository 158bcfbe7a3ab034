// The host's constant of the same name sizes the work-groups.
#define GROUP 96

__kernel void weigh(int n, __global const float *in, __constant float *weights, __global float *out) {
    __local float tile[GROUP];
    __local float w[1500];
    int i = get_global_id(0), own = get_local_id(0);
    for (int j = own; j < 1500; j += GROUP) w[j] = weights[j];
    tile[own] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) out[i] = tile[GROUP - 1 - own] * w[i % 1500];
}
