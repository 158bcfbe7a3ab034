// Bins that are not threads, and registers enough to bind.
constexpr int BINS = 96, THREADS = 704;

__global__ void __launch_bounds__(THREADS) histogram(int n, const unsigned *in, unsigned *out) {
    __shared__ unsigned bins[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i] % BINS], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&out[i], bins[i]);
}

void run(int n, const unsigned *in, unsigned *out) {
    int blocks = (n + THREADS - 1) / THREADS;
    histogram<<<blocks, THREADS>>>(n, in, out);
}
