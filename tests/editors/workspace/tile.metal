#include <metal_stdlib>
using namespace metal;

[[kernel, max_total_threads_per_threadgroup(256)]] void reverse(
    device float *data [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float tile[256];
  tile[i] = data[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  data[i] = tile[255 - i];
}
