// Bounds for more threads than a block may have: registers are kept few for it, or the bounds are ignored.
__device__ __forceinline__ float mixed(const float *x, int at) {
    float v[48], sum = 0;
    for (int i = 0; i < 48; ++i) v[i] = x[at * 48 + i];
    for (int i = 0; i < 48; ++i)
        for (int k = 0; k < i; ++k) sum += v[i] * v[k];
    return sum;
}

__global__ void __launch_bounds__(2048) twice(const float *x, float *y) { y[threadIdx.x] = mixed(x, threadIdx.x); }

__global__ void __launch_bounds__(1536, 1) more(const float *x, float *y) { y[threadIdx.x] = mixed(x, threadIdx.x); }

void run(const float *x, float *y) {
    twice<<<1, 1024>>>(x, y);
    more<<<1, 512>>>(x, y);
}
