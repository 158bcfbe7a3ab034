template <class T> __global__ void __launch_bounds__(128) k(T *x) { x[threadIdx.x] = 1; }
template <> __global__ void k<int>(int *x) { x[threadIdx.x] = 2; }
int main() { k<float><<<1, 128>>>(nullptr); k<int><<<1, 512>>>(nullptr); }
