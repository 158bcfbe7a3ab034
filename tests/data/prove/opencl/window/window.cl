// Nothing fixes its size: the host alone chooses it.
__kernel void window(int n, __global const float *in, __global float *out) {
    __local float table[1800];
    for (int j = get_local_id(0); j < 1800; j += get_local_size(0)) table[j] = 1.0f - j * 0.0005f;
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = get_global_id(0);
    if (i < n) out[i] = in[i] * table[i % 1800];
}
