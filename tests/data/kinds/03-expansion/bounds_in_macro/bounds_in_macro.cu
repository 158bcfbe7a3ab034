#define KERNEL(...) __global__ void __launch_bounds__(__VA_ARGS__)
#define BOUNDS 256, 4
KERNEL(128, 2) a(float *p) { p[threadIdx.x] = 1; }
KERNEL(BOUNDS) b(float *p) { p[threadIdx.x] = 1; }
KERNEL(64) c(float *p) { p[threadIdx.x] = 1; }
int main() { a<<<1, 128>>>(nullptr); b<<<1, 256>>>(nullptr); c<<<1, 64>>>(nullptr); }
