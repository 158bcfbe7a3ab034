// The hosts' header says its size, in the same words.
#define LANES 96

__kernel void shared_size(int n, __global const float *in, __global float *out) {
    __local float line[LANES];
    __local float table[1600];
    int own = get_local_id(0), i = get_global_id(0);
    for (int j = own; j < 1600; j += LANES) table[j] = in[j];
    line[own] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) out[i] = line[LANES - 1 - own] * table[i % 1600];
}
