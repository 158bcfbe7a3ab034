// A macro that feeds bounds, tile, grid and launch.
#define BLOCK 768
#define WIDTH 32
#define ROWS (BLOCK / WIDTH)

__global__ void __launch_bounds__(BLOCK) transpose(int n, const float *in, float *out) {
    __shared__ float tile[ROWS][WIDTH + 1];
    int left = blockIdx.x * WIDTH, top = blockIdx.y * ROWS;
    int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
    if (top + y < n) tile[y][x] = in[(top + y) * n + left + x];
    __syncthreads();
    y = threadIdx.x % ROWS, x = threadIdx.x / ROWS;
    if (top + y < n) out[(left + x) * n + top + y] = tile[y][x];
}

void run(int n, const float *in, float *out) {
    transpose<<<dim3(n / WIDTH, (n * WIDTH + BLOCK - 1) / BLOCK), BLOCK>>>(n, in, out);
}
