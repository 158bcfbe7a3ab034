#define n_threads 128
struct Config { int n_threads_per; };
__global__ void k(float *p) { p[threadIdx.x] = 1; }
#undef n_threads
int main() { int n_threads = 448; k<<<1, n_threads>>>(nullptr); }
