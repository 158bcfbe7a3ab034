#define WIDTH 96

__kernel __attribute__((reqd_work_group_size(WIDTH, 1, 1)))
void columns(int width, int height, __global const float *in, __global float *out) {
    int x = get_global_id(0), y = get_global_id(1);
    __local float2 part[5][WIDTH];
    for (int k = 0; k < 5; ++k) part[k][get_local_id(0)] = x < width ? (float2)(in[(y * 5 + k) * width + x], k) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float2 sum = 0;
    for (int k = 0; k < 5; ++k) sum += part[k][WIDTH - 1 - get_local_id(0)];
    if (x < width) out[y * width + x] = sum.x * sum.y;
}
