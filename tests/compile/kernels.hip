#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>
#ifndef TILE
#define TILE 16
#endif
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void grid_stride(int n, const float4* x, float4* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { float4 v = x[i]; v.x += v.y; y[i] = make_float4(v.x, v.z, v.w, 1.f); }
}
__global__ __launch_bounds__(256) void reduce(int n, const float* x, float* out) {
  __shared__ float part[256];
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  part[threadIdx.x] = s; __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h /= 2) { if (threadIdx.x < h) part[threadIdx.x] += part[threadIdx.x + h]; __syncthreads(); }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
__global__ __launch_bounds__(256, 2) void tile(int n, const double* a, const double* b, double* c) {
  __shared__ double ta[TILE][TILE], tb[TILE][TILE + 1]; double s[4] = {};
  int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * blockDim.y + y;
  for (int t = 0; t < n; t += TILE) { ta[y][x] = a[row * n + t + x]; tb[y][x] = b[(t + y) * n + col]; __syncthreads();
    for (int k = 0; k < TILE; ++k) for (int j = 0; j < 4; ++j) s[j] += ta[y][k] * tb[k][(x + j) % TILE]; __syncthreads(); }
  for (int j = 0; j < 4; ++j) c[row * n + col + j * gridDim.y * gridDim.z] = s[j];
}
__global__ void hist(const int* x, int* h, unsigned long long* w, int n) {
  extern __shared__ int part[];
  int i = threadIdx.x + blockIdx.x * blockDim.x; atomicAdd(&part[x[i] & 255], 1); __syncthreads();
  if (threadIdx.x < warpSize) atomicMax(&h[threadIdx.x], part[threadIdx.x]); atomicCAS(w, 1ull, 2ull); atomicXor(&h[3], 4); __threadfence(); atomicExch(h, 5); atomicAdd((double*)w, 1.0);
}
template <int N> __global__ void dims(dim3* d) { d[N] = blockDim; d[N+1] = gridDim; d[N+2] = threadIdx; d[N + 3] = blockIdx; }
template __global__ void dims<3>(dim3*);
template __global__ void dims<0>(dim3*);
int main() { std::vector<float> v; std::printf("%zu", v.size()); saxpy<<<1, 256>>>(0, 1.f, nullptr, nullptr); return 0; }
__global__ void threes(const float3* x, float3* y, uchar3* c) {
  __shared__ float3 w[9];
  __shared__ uchar3 b[7];
  int t = threadIdx.x;
  w[t % 9] = x[t] * 2.f + make_float3(1.f, 2.f, 3.f); b[t % 7] = c[t]; __syncthreads();
  float3 s = w[(t + 1) % 9]; s += x[t + 1]; y[t] = s / s.x; c[t + 9] = b[(t + 1) % 7];
}
