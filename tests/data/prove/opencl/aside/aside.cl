// A fixed number of groups goes over all elements: the global size is so many times the size.
#define GROUP 96

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fixed_groups(int n, __global float *x) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) x[i] *= 2;
}

__kernel void driver_sized(int n, __global float *x) {
    if (get_global_id(0) < n) x[get_global_id(0)] = 0;
}
