#include "sizes.h"

__global__ void smooth(int n, const float *in, float *out);
__global__ void shift(int n, float by, float *x);

void run(int n, const float *in, float *out) {
    const int threads = 672;
    smooth<<<(n + THREADS - 1) / THREADS, THREADS>>>(n, in, out);
    shift<<<(n + threads - 1) / threads, threads>>>(n, 1.0f, out);
}
