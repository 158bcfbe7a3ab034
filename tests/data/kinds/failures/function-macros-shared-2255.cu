// shared of kern3_p2255: [112] is true, ['216…224'] is claimed
// block of kern3_p2255: [(14, 1, 1)] is true, {'value': 27, 'dimensions': [27, 1, 1]} is claimed
// static bytes of kern3_p2255: [112] is true, ['216…224'] is claimed
// sizes of kern3_p2255: [14] is true, [{'sizes': [27], 'upper_bound': False, 'assumed': False, 'origin': 'of the launch in this file', 'reason': None}] is claimed
__host__ __device__ constexpr int own1_p2255(int x) { return x + 1; }
#define own1_p2255(x) own1_p2255((x) * 2)
__global__ void kern3_p2255() {
  __shared__ float2 tile2_p2255[(own1_p2255)(13)];
  reinterpret_cast<volatile char *>(&tile2_p2255)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile2_p2255));
}
void run_p2255() {
  kern3_p2255<<<1, (own1_p2255)(13)>>>(); /*@1*/
}
