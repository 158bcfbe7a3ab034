// Grids that functions make: of the size they are given, of the one that is their default, of one of their own.
constexpr int kThreads = 768;

inline int blocks_for(int n, int threads = kThreads) {
    int wanted = (n + threads - 1) / threads;
    return wanted;
}

#define LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

// occupancy: regs=32
__global__ void by_default(float *x, int n) { LOOP(i, n) x[i] = 1; }
// occupancy: regs=32
__global__ void given(float *x, int n) { LOOP(i, n) x[i] = 2; }

template <typename T>
T upwards(T n, T of) { return (n + of - 1) / of; }

// occupancy: regs=32
__global__ void __launch_bounds__(1024) of_a_template(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 3;
}

void run_by_default(float *x, int n) { by_default<<<blocks_for(n), kThreads>>>(x, n); }
void run_given(float *x, int n) {
    const int threads = 384;
    given<<<blocks_for(n, threads), threads>>>(x, n);
}
void run_of_a_template(float *x, int n) { of_a_template<<<upwards(n, 640), 640>>>(x, n); }
