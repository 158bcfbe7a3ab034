// Shared memory sized at launch: by the size, and by something else.
constexpr int THREADS = 768;

__global__ void __launch_bounds__(THREADS) follows(int n, const float *in, float *out) {
    extern __shared__ float line[];
    int i = blockIdx.x * THREADS + threadIdx.x;
    line[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = line[THREADS - 1 - threadIdx.x];
}

__global__ void apart(int n, const float *in, float *out) {
    extern __shared__ float table[];
    for (int i = threadIdx.x; i < 700; i += blockDim.x) table[i] = in[i];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[i % 700];
}

void run(int n, const float *in, float *out) {
    follows<<<(n + THREADS - 1) / THREADS, THREADS, THREADS * sizeof(float)>>>(n, in, out);
    apart<<<(n + 639) / 640, 640, 700 * sizeof(float)>>>(n, in, out);
}
