// y = a * x + y. Nothing here says how many registers the kernel takes, so the hint shows the budget.

__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

void run_saxpy(int n, float a, const float *x, float *y) {
    saxpy<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
