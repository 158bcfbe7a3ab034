// sizes of kern1_p1924: [96] is true, [{'sizes': [64, 768], 'upper_bound': False, 'assumed': False, 'origin': 'of the launches in this file', 'reason': 'n depends on a branch'}] is claimed
#define CHECK4_p1924 for (int z = 0; z < 1; ++z) { }
#define CHECK5_p1924 { (void)0; }
__global__ void kern1_p1924() {
  CHECK4_p1924
  __shared__ float tile2_p1924[24];
  reinterpret_cast<volatile char *>(&tile2_p1924)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile2_p1924));
  __syncthreads();
  CHECK5_p1924;
}
#define CHECK6_p1924 { }
#define CHECK7_p1924(x) do { n = 96; } while (0);
void run_p1924() {
  int n = 768;
  bool on = false;
  CHECK6_p1924
  if (n > 128) { n = 64; }
  CHECK7_p1924(1 + 1);
  kern1_p1924<<<1, n>>>(); /*@1*/
  kern1_p1924<<<2, n, 0>>>(); /*@2*/
}
