// The size as a template's argument: by one constant, and written out twice.
constexpr int BLOCK = 768;

template <int THREADS> __global__ void __launch_bounds__(THREADS) running(int n, const float *in, float *out) {
    __shared__ float last[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    last[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = last[threadIdx.x] + last[(threadIdx.x + 1) % THREADS];
}

template <int COUNT> __global__ void pairs(int n, const float *in, float *out) {
    __shared__ float all[COUNT];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    all[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = all[threadIdx.x] * all[COUNT - 1 - threadIdx.x];
}

void run(int n, const float *in, float *out) {
    running<BLOCK><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(n, in, out);
    pairs<640><<<(n + 639) / 640, 640>>>(n, in, out);
}
