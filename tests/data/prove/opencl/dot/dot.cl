// Halves of a work-group add the other half: its size stays a power of two.
#define GROUP 1024

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void dot_parts(int n, __global const float4 *a, __global const float4 *b, __global float4 *out) {
    __local float4 part[GROUP];
    __local float4 seen[GROUP];
    __local float2 last[GROUP];
    int i = get_global_id(0), own = get_local_id(0);
    part[own] = i < n ? a[i] * b[i] : (float4)(0);
    seen[own] = part[own] + 1.0f;
    last[own] = seen[own].xy;
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll 1
    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (own < step) part[own] += part[own + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own == 0) out[get_group_id(0)] = part[0] + seen[GROUP - 1] * last[GROUP - 1].x;
}
