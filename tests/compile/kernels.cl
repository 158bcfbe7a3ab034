__kernel void saxpy(int n, float a, __global const float* x, __global float* y) { int i = get_global_id(0); if (i < n) y[i] = a * x[i] + y[i]; }
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void tile(int n, __global const float* a, __global const float* b, __global float* c) {
  __local float ta[16][16], tb[16][17];
  int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1); float s = 0;
  for (int t = 0; t < n; t += 16) { ta[y][x] = a[row * n + t + x]; tb[y][x] = b[(t + y) * n + col]; barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) s = fma(ta[y][k], tb[k][x], s); barrier(CLK_LOCAL_MEM_FENCE); }
  c[row * n + col] = s;
}
__kernel void reduce(int n, __global const float4* x, __global float* out, __local float* part) {
  float4 s = 0; for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) s += x[i];
  part[get_local_id(0)] = s.x + s.y + s.z + s.w; barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = get_local_size(0) / 2; h; h >>= 1) { if (get_local_id(0) < h) part[get_local_id(0)] += part[get_local_id(0) + h]; barrier(CLK_LOCAL_MEM_FENCE); }
  if (!get_local_id(0)) out[get_group_id(0)] = part[0];
}
__kernel void hist(__global const uint* x, __global uint* h) { __local uint part[256]; part[get_local_id(0)] = 0; barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&part[x[get_global_id(0)] & 255], 1u); barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); atomic_max(&h[get_local_id(0)], part[get_local_id(0)]); atomic_inc(h); }
__kernel void dims(__global ulong* o) { for (uint d = 0; d < 3; d++) { o[d] = get_num_groups(d); o[d + 3] = get_global_size(d); o[d + 6] = get_local_size(d); o[d + 9] = get_group_id(d); o[d + 12] = get_global_id(d); } o[20] = get_work_dim(); }
