// The same by constants, expressions and a template's parameter.
constexpr int THREADS = 256, BLOCKS = 12;
constexpr int FLOATS = 11 * 1024;

__global__ void __launch_bounds__(THREADS, BLOCKS) by_name(float *x) { x[blockIdx.x * THREADS + threadIdx.x] += 1; }

__global__ void __launch_bounds__(2 * THREADS, BLOCKS / 2) by_expression(float *x) {
    x[blockIdx.x * 2 * THREADS + threadIdx.x] += 1;
}

__global__ __launch_bounds__(THREADS, 7) void first(const float *x, float *y) {
    __shared__ float a[FLOATS];
    for (int i = threadIdx.x; i < FLOATS; i += THREADS) a[i] = x[i];
    __syncthreads();
    y[blockIdx.x * THREADS + threadIdx.x] = a[(threadIdx.x * 37) % FLOATS];
}

template <int EACH> __global__ void __launch_bounds__(128, 20) strided(const float *x, float *y) {
    float sum = 0;
    for (int i = 0; i < EACH; ++i) sum += x[(blockIdx.x * EACH + i) * blockDim.x + threadIdx.x];
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void strided<4>(const float *, float *);
template __global__ void strided<16>(const float *, float *);
