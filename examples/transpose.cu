// The transpose of an n x n matrix, n a multiple of 32. BLOCK decides the launch bounds, the launch, the grid and the
// shared array: the code action on the kernel's name changes it where it stands, once, and says what that does.

#define BLOCK 768

constexpr int WIDTH = 32;
constexpr int ROWS = BLOCK / WIDTH;

// occupancy: regs=14
__global__ void __launch_bounds__(BLOCK) transpose(int n, const float *in, float *out) {
    __shared__ float tile[ROWS][WIDTH + 1];
    int left = blockIdx.x * WIDTH, top = blockIdx.y * ROWS;
    int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
    if (top + y < n) tile[y][x] = in[(top + y) * n + left + x];
    __syncthreads();
    y = threadIdx.x % ROWS, x = threadIdx.x / ROWS;
    if (top + y < n) out[(left + x) * n + top + y] = tile[y][x];
}

void run_transpose(int n, const float *in, float *out) {
    dim3 grid(n / WIDTH, (n + ROWS - 1) / ROWS);
    transpose<<<grid, BLOCK>>>(n, in, out);
}
