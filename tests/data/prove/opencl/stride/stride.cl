// The global size is a number: what divides it may be a work-group.
#define GROUP 480

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void stride(int n, __global float *x) {
    __local float4 seen[GROUP];
    float4 sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i];
    seen[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = seen[get_local_id(0) ^ 1].y;
}
