#define PAIR(a, b) a, b
template <int T, int R> __global__ void __launch_bounds__(T) k(float *p) { __shared__ float s[T * R]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<PAIR(64, 3)><<<PAIR(1, 64)>>>(nullptr); }
