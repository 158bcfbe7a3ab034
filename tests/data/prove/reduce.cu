// A tree: halves of a power of two.
constexpr int THREADS = 1024;

__global__ void __launch_bounds__(THREADS) sum(int n, const float *in, float *out) {
    __shared__ float part[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

void run(int n, const float *in, float *out) {
    const int blocks = (n + THREADS - 1) / THREADS;
    sum<<<blocks, THREADS>>>(n, in, out);
}
