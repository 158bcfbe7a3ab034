// The sum of n numbers. Launch bounds promise occupancy: the compiler must not use more registers than they leave.

constexpr int THREADS = 256;

__global__ void __launch_bounds__(THREADS, 6) reduce(int n, const float *in, float *out) {
    __shared__ float partial[THREADS];
    float sum = 0.0f;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) sum += in[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}

void run_reduce(int n, const float *in, float *out) {
    reduce<<<256, THREADS>>>(n, in, out);
}
