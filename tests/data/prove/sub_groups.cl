#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void histogram(int n, __global const uint *in, __global uint *out) {
    __local uint bins[320];
    for (int i = get_local_id(0); i < 320; i += get_local_size(0)) bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[in[i] % 320]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < 320; i += get_local_size(0)) atomic_add(&out[i], bins[i]);
}

__kernel __attribute__((work_group_size_hint(64, 1, 1))) void scale(__global float *x, float by) {
    x[get_global_id(0)] *= by;
}
