#define BLURRED 960
#define SHARPENED 896

__kernel __attribute__((reqd_work_group_size(BLURRED, 1, 1)))
void blur(int n, __global const float4 *in, __global float4 *out) {
    __local float4 line[BLURRED + 2];
    int i = get_global_id(0), own = get_local_id(0);
    line[own + 1] = i < n ? in[i] : (float4)(0);
    if (own == 0) line[0] = i > 0 ? in[i - 1] : line[1];
    if (own == get_local_size(0) - 1) line[own + 2] = i + 1 < n ? in[i + 1] : line[own + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) out[i] = (line[own] + line[own + 1] + line[own + 2]) / 3.0f;
}

__kernel __attribute__((reqd_work_group_size(SHARPENED, 1, 1)))
void sharpen(int n, __global const float4 *in, __global float4 *out) {
    __local float4 line[2][SHARPENED + 1];
    int i = get_global_id(0), own = get_local_id(0);
    line[0][own] = i < n ? in[i] : (float4)(0);
    line[1][own] = i + n < n ? in[i + n] : (float4)(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) out[i] = line[0][own] * 2.0f - line[1][own];
}
