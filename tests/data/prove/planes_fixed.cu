// Blocks of two dimensions whose code counts on the shape: no other one is offered.
// occupancy: regs=32
__global__ void across(float *x, int w, int h) {  // its grid goes the other way
    int i = blockIdx.y * blockDim.x + threadIdx.x, j = blockIdx.x * blockDim.y + threadIdx.y;
    if (i < w && j < h) x[j * w + i] = 1;
}

// occupancy: regs=32
__global__ void by_number(float *x, int w, int h) {  // its rows are written out
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * 24 + threadIdx.y;
    if (i < w && j < h) x[j * w + i] = 1;
}

// occupancy: regs=32
__global__ void summed(float *x, int w, int h) {  // as many sums as there are rows
    __shared__ float sums[24];
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = j < h ? x[j * w + threadIdx.x] : 0;
    for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    if (!threadIdx.x) sums[threadIdx.y] = sum;
    __syncthreads();
    if (!threadIdx.x && j < h) x[j * w] = sums[threadIdx.y];
}

#define SIDE 32
// occupancy: regs=40
__global__ void exchanged(float *x, int w) {  // rows of one warp each
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * w + i] += __shfl_down_sync(~0u, x[j * w + i], 1);
}

// occupancy: regs=32
__global__ void apart(float *x, int w, int h) {  // a grid that does not follow
    for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < h; j += blockDim.y) x[j * w + threadIdx.x] = 1;
}

void run(float *x, int w, int h) {
    dim3 block(32, 24), grid((w + 31) / 32, (h + 23) / 24);
    across<<<grid, block>>>(x, w, h);
}
void run_by_number(float *x, int w, int h) {
    by_number<<<dim3((w + 31) / 32, (h + 23) / 24), dim3(32, 24)>>>(x, w, h);
}
void run_summed(float *x, int w, int h) { summed<<<dim3(1, (h + 23) / 24), dim3(32, 24)>>>(x, w, h); }
void run_exchanged(float *x, int w, int h) {
    exchanged<<<dim3((w + SIDE - 1) / SIDE, (h + SIDE - 1) / SIDE), dim3(SIDE, SIDE)>>>(x, w);
}
void run_apart(float *x, int w, int h) { apart<<<dim3(1, 8), dim3(32, 24)>>>(x, w, h); }
