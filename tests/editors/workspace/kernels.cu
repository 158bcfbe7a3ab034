// Blur keeps its window in shared memory and asks for more blocks than fit.
__global__ void __launch_bounds__(256, 8) blur(const float *in, float *out)
{
    __shared__ float window[8192];
    window[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = window[255 - threadIdx.x];
}

// occupancy: regs=40
__global__ void __launch_bounds__(256) saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
