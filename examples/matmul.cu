// C = A * B for n x n matrices, n a multiple of 64: each block makes a tile of 64 x 64, each thread 4 x 4 of it.
// How many registers that takes is said in matmul.cu.occupancy.yaml, as nvcc 13.0 reported it.

constexpr int TILE = 64;
constexpr int DEPTH = 16;
constexpr int THREADS = 16;  // by THREADS
constexpr int EACH = TILE / THREADS;

__global__ void matmul(int n, const float *a, const float *b, float *c) {
    __shared__ float tile_a[DEPTH][TILE];
    __shared__ float tile_b[DEPTH][TILE];
    int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    int thread = threadIdx.y * THREADS + threadIdx.x;
    float sum[EACH][EACH] = {};
    for (int k = 0; k < n; k += DEPTH) {
        for (int i = thread; i < TILE * DEPTH; i += THREADS * THREADS) {
            tile_a[i % DEPTH][i / DEPTH] = a[(top + i / DEPTH) * n + k + i % DEPTH];
            tile_b[i / TILE][i % TILE] = b[(k + i / TILE) * n + left + i % TILE];
        }
        __syncthreads();
        for (int d = 0; d < DEPTH; ++d)
            for (int y = 0; y < EACH; ++y)
                for (int x = 0; x < EACH; ++x)
                    sum[y][x] += tile_a[d][threadIdx.y * EACH + y] * tile_b[d][threadIdx.x * EACH + x];
        __syncthreads();
    }
    for (int y = 0; y < EACH; ++y)
        for (int x = 0; x < EACH; ++x)
            c[(top + threadIdx.y * EACH + y) * n + left + threadIdx.x * EACH + x] = sum[y][x];
}

void run_matmul(int n, const float *a, const float *b, float *c) {
    matmul<<<dim3(n / TILE, n / TILE), dim3(THREADS, THREADS)>>>(n, a, b, c);
}
