#define ROWS 4
#define TILE_BYTES (ROWS * 64)
__global__ void a(char *p) { __shared__ char s[TILE_BYTES]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
#undef ROWS
#define ROWS 10
__global__ void b(char *p) { __shared__ char s[TILE_BYTES]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
#undef ROWS
#define ROWS 2
int main() { a<<<1, TILE_BYTES>>>(nullptr); b<<<1, TILE_BYTES / 2>>>(nullptr); }
