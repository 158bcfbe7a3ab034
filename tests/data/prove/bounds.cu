// Second arguments of launch bounds: heeded, ignored, out of reach for shared memory, and 1.
constexpr int STAGE = 10 * 1024;
#define LEAST 6

__global__ void __launch_bounds__(512, 8) offset(float *x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] += by; }

__global__ void __launch_bounds__(64, 40) many(float *x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }

__global__ void __launch_bounds__(256, LEAST) smooth(const float *x, float *y) {
    __shared__ float stage[STAGE];
    for (int i = threadIdx.x; i < STAGE; i += blockDim.x) stage[i] = x[blockIdx.x * STAGE + i];
    __syncthreads();
    for (int i = threadIdx.x; i < STAGE - 2; i += blockDim.x)
        y[blockIdx.x * STAGE + i] = (stage[i] + stage[i + 1] + stage[i + 2]) / 3;
}

__global__ void __launch_bounds__(256, 1) alone(const double *x, double *y) {
    double d[24], s = 0;
    for (int i = 0; i < 24; ++i) d[i] = x[blockIdx.x * blockDim.x * 24 + threadIdx.x + i * blockDim.x];
    for (int i = 0; i < 24; ++i)
        for (int k = 0; k < i; ++k) s += d[i] * d[k];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void __launch_bounds__(1024, 3) wide(const float *x, float *y) {
    __shared__ float line[1024 + 2];
    line[threadIdx.x + 1] = x[blockIdx.x * 1024 + threadIdx.x];
    __syncthreads();
    y[blockIdx.x * 1024 + threadIdx.x] = line[threadIdx.x] + line[threadIdx.x + 2];
}
