// As many blocks as threads: the number of blocks is not the size.
__global__ void fill(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

constexpr int COUNT = 640;
__global__ void fill_by_name(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

void run(float *x) {
    fill<<<768, 768>>>(x);
    fill_by_name<<<COUNT, COUNT>>>(x);
}
