// One constant, two kernels.
#define THREADS 768

__global__ void first(int n, float *x) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) x[i] += 1;
}

__global__ void second(int n, float *x) {
    __shared__ float line[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    line[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) x[i] = line[THREADS - 1 - threadIdx.x];
}

void run(int n, float *x) {
    first<<<(n + THREADS - 1) / THREADS, THREADS>>>(n, x);
    second<<<(n + THREADS - 1) / THREADS, THREADS>>>(n, x);
}
