// Kernels without bounds: which of them bounds would change, only their counts tell.
__global__ void few(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1;
}

template <typename T, int N>
__global__ void __launch_bounds__(N) of_a_template(T *x) { x[blockIdx.x * N + threadIdx.x] += 1; }

// Its tile leaves room for five blocks.
__global__ void tiled(float *x) {
    __shared__ float tile[10000];
    tile[threadIdx.x] = x[blockIdx.x];
    __syncthreads();
    x[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x ^ 1];
}

// Of several sizes: bounds on registers alone.
__global__ void of_two_sizes(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

#define VALUES 90
__global__ void many(const float *in, float *out, int n) {
    float a[VALUES];
    for (int i = 0; i < VALUES; ++i) a[i] = in[i * n + threadIdx.x];
#pragma unroll 1
    for (int j = 0; j < n; ++j) {
#pragma unroll
        for (int i = 0; i < VALUES; ++i) a[i] = a[i] * in[j] + a[(i + 1) % VALUES];
    }
    for (int i = 0; i < VALUES; ++i) out[i * n + threadIdx.x] = a[i];
}

void run(const float *in, float *x, int n) {
    few<<<n, 256>>>(x, n);
    of_a_template<float, 128><<<n, 128>>>(x);
    tiled<<<n, 128>>>(x);
    of_two_sizes<<<n, n % 2 ? 512 : 64>>>(x);
    many<<<n, 768>>>(in, x, n);
}
