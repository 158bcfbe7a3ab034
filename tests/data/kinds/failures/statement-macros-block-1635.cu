// block of kern1_p1635: [(168, 1, 1)] is true, {'value': 140, 'dimensions': [140, 1, 1]} is claimed
// dynamic of kern1_p1635: [672] is true, {'value': 560} is claimed
// sizes of kern1_p1635: [168] is true, [{'sizes': [140], 'upper_bound': False, 'assumed': False, 'origin': 'of the launch in this file', 'reason': None}] is claimed
// dynamic bytes of kern1_p1635: [672] is true, ['560'] is claimed
#define CHECK4_p1635 do { } while (0)
#define CHECK5_p1635(x) __syncthreads();
#define CHECK6_p1635(x) if (sizeof(int) == 1) return;
__global__ void kern1_p1635() {
  CHECK4_p1635;
  __shared__ float tile2_p1635[24];
  reinterpret_cast<volatile char *>(&tile2_p1635)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile2_p1635));
  __syncthreads();
  CHECK5_p1635(n)
  CHECK6_p1635(n)
}
#define CHECK7_p1635(x) n /= 2; n += 1;
#define CHECK8_p1635(x) n = 320;
void run_p1635() {
  int n = 512;
  bool on = n > 96;
  CHECK7_p1635(a);
  n = n / 2 + 8;
  CHECK8_p1635(1 + 1);
  n = n / 2 + 8;
  kern1_p1635<<<1, n, n * 4>>>(); /*@1*/
}
