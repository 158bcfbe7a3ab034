// A square tile: two dimensions from one constant, which no one number of threads can move.
constexpr int BLOCK = 32;

__global__ void __launch_bounds__(BLOCK * BLOCK, 4) multiply(int n, const float *a, const float *b, float *c) {
    __shared__ float s[BLOCK][BLOCK + 1];
    __shared__ float t[BLOCK][BLOCK + 1];
    int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += BLOCK) {
        s[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < BLOCK; ++i) sum += s[threadIdx.y][i] * t[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

void run(int n, const float *a, const float *b, float *c) {
    multiply<<<dim3(n / BLOCK, n / BLOCK), dim3(BLOCK, BLOCK)>>>(n, a, b, c);
}
