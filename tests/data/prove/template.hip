#include <hip/hip_runtime.h>
constexpr int BLOCK = 704;

template <int THREADS> __global__ void __launch_bounds__(THREADS) running(int n, const float *in, float *out) {
    __shared__ float last[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    last[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = last[threadIdx.x] + last[(threadIdx.x + 1) % THREADS];
}

template <typename T> __global__ void add(int n, const T *in, T *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += in[i];
}

void run(int n, const float *in, float *out, const double *from, double *to) {
    running<BLOCK><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(n, in, out);
    add<double><<<(n + 959) / 960, 960>>>(n, from, to);
    add<float><<<(n + 959) / 960, 960>>>(n, in, out);
}
