// All of this compiles, and none of it does what it says.

constexpr int STAGE = 10 * 1024;  // floats

// The launch has more threads than the bounds allow: it fails when it runs.
__global__ void __launch_bounds__(128) scale(float *x, float by) {
    x[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}

// Eight blocks of 512 threads are more than an SM holds: the compiler ignores the bound.
__global__ void __launch_bounds__(512, 8) offset(float *x, float by) {
    x[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

// Shared memory leaves room for five blocks, not for six: the compiler saves registers in vain.
__global__ void __launch_bounds__(256, 6) smooth(const float *x, float *y) {
    __shared__ float stage[STAGE];
    for (int i = threadIdx.x; i < STAGE; i += blockDim.x) stage[i] = x[blockIdx.x * STAGE + i];
    __syncthreads();
    for (int i = threadIdx.x; i < STAGE - 2; i += blockDim.x)
        y[blockIdx.x * STAGE + i] = (stage[i] + stage[i + 1] + stage[i + 2]) / 3;
}

// More than 48 KiB of shared memory must be asked for before the launch: this one fails.
__global__ void reverse(float *x, int count) {
    extern __shared__ float copy[];
    for (int i = threadIdx.x; i < count; i += blockDim.x) copy[i] = x[i];
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) x[i] = copy[count - 1 - i];
}

void run_faults(float *x, float *y) {
    scale<<<64, 256>>>(x, 2.0f);
    offset<<<64, 512>>>(x, 1.0f);
    smooth<<<4096, 256>>>(x, y);
    reverse<<<1, 256, 64 * 1024>>>(x, 16 * 1024);
}
