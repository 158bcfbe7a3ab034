__global__ void __cluster_dims__(2, 1, 1) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<8, 64>>>(nullptr); }
