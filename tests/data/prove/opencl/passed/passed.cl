// The host gives its size as an argument too, and sizes what `part` points to.
__kernel void passed(int n, int group, __global float *x, __local float *part) {
    int i = get_global_id(0);
    part[get_local_id(0)] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) x[i] = part[group - 1 - get_local_id(0)];
}
