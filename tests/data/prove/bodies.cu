// Many registers, and a tile of positions that follows the size.
#define TILE 736

struct Body { float x, y, z, m; };

__global__ void __launch_bounds__(TILE) forces(int n, const Body *of, Body *to) {
    __shared__ Body tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    Body mine = of[i < n ? i : 0];
    float x = 0, y = 0, z = 0;
    for (int from = 0; from < n; from += TILE) {
        tile[threadIdx.x] = of[from + threadIdx.x < n ? from + threadIdx.x : 0];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float dx = tile[k].x - mine.x, dy = tile[k].y - mine.y, dz = tile[k].z - mine.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f), f = tile[k].m * r * r * r;
            x += f * dx, y += f * dy, z += f * dz;
        }
        __syncthreads();
    }
    if (i < n) to[i] = {x, y, z, mine.m};
}

void run(int n, const Body *of, Body *to) {
    dim3 grid((n + TILE - 1) / TILE);
    forces<<<grid, TILE>>>(n, of, to);
}
