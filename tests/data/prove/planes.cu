// Blocks of two and three dimensions: rows are added or taken away where the grid follows along them.
#define COLUMNS 16
#define ROWS 48
#define SIDE 32

// occupancy: regs=32
__global__ void fill(float *x, int w, int h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = threadIdx.y + blockDim.y * blockIdx.y;
    if (i < w && j < h) x[j * w + i] = 1;
}

// occupancy: regs=32
__global__ void __launch_bounds__(1024) scale(float *x, int w, int h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < w && j < h) x[j * w + i] *= 2;
}

// occupancy: regs=40
__global__ void __launch_bounds__(SIDE * SIDE) turn(const float *in, float *out, int n) {
    __shared__ float tile[SIDE][SIDE + 1];
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = i < n && j < n ? in[j * n + i] : 0;
    __syncthreads();
    if (i < n && j < n) out[j * n + i] = tile[threadIdx.y][threadIdx.x];
}

// occupancy: regs=32
__global__ void volume(float *x, int w, int h, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < w && j < h && k < d) x[(k * h + j) * w + i] = 1;
}

void run(const float *in, float *x, int w, int h, int d) {
    const dim3 block(COLUMNS, ROWS);
    fill<<<dim3((w + COLUMNS - 1) / COLUMNS, (h + ROWS - 1) / ROWS), block>>>(x, w, h);
    dim3 threads(32, 24), blocks((w + 31) / 32, (h + 23) / 24);
    scale<<<blocks, threads>>>(x, w, h);
    turn<<<dim3((w + SIDE - 1) / SIDE, (w + SIDE - 1) / SIDE), dim3(SIDE, SIDE)>>>(in, x, w);
}

void fill_volume(float *x, int w, int h, int d) {
    volume<<<dim3((w + 7) / 8, (h + 3) / 4, (d + 23) / 24), dim3(8, 4, 24)>>>(x, w, h, d);
}
