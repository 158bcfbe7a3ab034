__global__ void k(float4 *x) { __shared__ float4 t[600]; t[3].x = x[threadIdx.x].x; t[3].w = 1; __syncthreads(); x[threadIdx.x].y = t[3].x + t[3].w; }
int main() { k<<<1, 32>>>(nullptr); }
