// The size stands in a function that the kernel calls.
__device__ float of_block(float value, float *part) {
    part[threadIdx.x] = value;
    __syncthreads();
    for (int step = 320; step > 4; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    return part[0];
}

__global__ void sum(int n, const float *in, float *out) {
    __shared__ float part[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float all = of_block(i < n ? in[i] : 0, part);
    if (threadIdx.x == 0) out[blockIdx.x] = all;
}

void run(int n, const float *in, float *out) { sum<<<(n + 639) / 640, 640>>>(n, in, out); }
