#include <hip/hip_runtime.h>

__global__ void spread(int n, const float *in, float *out);
__global__ void pick(int n, const int *at, const float *in, float *out);

constexpr unsigned kLanes = 640;

void run(int n, const int *at, const float *in, float *out) {
    const dim3 groups((n + kLanes - 1) / kLanes);
    hipLaunchKernelGGL(spread, groups, dim3(kLanes), 0, 0, n, in, out);
    hipLaunchKernelGGL(pick, groups, dim3(kLanes), 0, 0, n, at, in, out);
}
