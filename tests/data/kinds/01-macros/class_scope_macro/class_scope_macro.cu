#define NO_COPY(T) T(const T &) = delete; T &operator=(const T &) = delete;
#define MARKER
struct Tile {
  Tile() = default;
  NO_COPY(Tile)
  float data[24];
  MARKER
  int count;
};
__global__ void k(float *p)
{
  __shared__ char raw[sizeof(Tile) * 4];
  raw[threadIdx.x] = (char)p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = raw[threadIdx.x ^ 1];
}
int main() { k<<<1, sizeof(Tile)>>>(nullptr); }
