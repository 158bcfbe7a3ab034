// The grid divides without a rest: only what divides the size may take its place.
#define SIZE 1024
__global__ void gather(const int *at, const float *from, float *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[at[i]];
}

__global__ void known(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0; }

void run(int n, const int *at, const float *from, float *to) {
    gather<<<n / SIZE, SIZE>>>(at, from, to);
    known<<<(100000 + 639) / 640, 640>>>(to);
}
