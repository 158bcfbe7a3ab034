template <class T> __global__ void __launch_bounds__(128, 4) k(T *x);
template <class T> __global__ void k(T *x) { x[threadIdx.x] = 1; }
int main() { k<float><<<1, 128>>>(nullptr); k<int><<<1, 64>>>(nullptr); }
