// block of kern1_p458: [(96, 1, 1)] is true, {'value': 192, 'dimensions': [192, 1, 1]} is claimed
// block of kern1_p458: [(96, 1, 1)] is true, {'value': 192, 'dimensions': [192, 1, 1]} is claimed
// sizes of kern1_p458: [96, 97] is true, [{'sizes': [97, 192], 'upper_bound': False, 'assumed': False, 'origin': 'of the launches in this file', 'reason': None}] is claimed
#define CHECK4_p458 { (void)0; }
#define CHECK5_p458(x) __syncthreads();
__global__ void kern1_p458() {
  CHECK4_p458
  __shared__ float tile2_p458[4];
  reinterpret_cast<volatile char *>(&tile2_p458)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile2_p458));
  CHECK5_p458(n)
}
#define LAUNCH6_p458(size) do { kern1_p458<<<1, size>>>(); } while (0)
#define CHECK7_p458(x) do { n = 96; } while (0);
void run_p458() {
  int n = 192;
  bool on = false;
  LAUNCH6_p458(n / 2 + 1); /*@1*/
  CHECK7_p458(1 + 1)
  kern1_p458<<<2, n>>>(); /*@2*/
  kern1_p458<<<3, n, 0>>>(); /*@3*/
}
