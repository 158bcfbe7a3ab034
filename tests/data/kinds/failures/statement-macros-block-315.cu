// block of kern1_p315: [(104, 1, 1)] is true, {'value': 200, 'dimensions': [200, 1, 1]} is claimed
// dynamic of kern1_p315: [416] is true, {'value': 800} is claimed
// block of kern1_p315: [(53, 1, 1)] is true, {'value': 101, 'dimensions': [101, 1, 1]} is claimed
// sizes of kern1_p315: [53, 104] is true, [{'sizes': [101, 200], 'upper_bound': False, 'assumed': False, 'origin': 'of the launches in this file', 'reason': None}] is claimed
#define CHECK4_p315 (void)0
#define CHECK5_p315 
#define CHECK6_p315(x) do { (void)0; } while (0);
#define CHECK7_p315 if (false) { }
__global__ void kern1_p315() {
  CHECK4_p315;
  __shared__ float tile2_p315[24];
  reinterpret_cast<volatile char *>(&tile2_p315)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile2_p315));
  CHECK5_p315
  CHECK6_p315(a)
  __shared__ int more3_p315[52];
  reinterpret_cast<volatile char *>(&more3_p315)[threadIdx.x] = 1; asm volatile("" :: "l"(&more3_p315));
  CHECK7_p315;
}
#define CHECK8_p315(x) { n = 192; }
#define CHECK9_p315 (void)0;
#define LAUNCH10_p315(size) { kern1_p315<<<2, size>>>(); }
void run_p315() {
  int n = 384;
  bool on = false;
  CHECK8_p315(a)
  n = n / 2 + 8;
  if (on) kern1_p315<<<1, n>>>(); /*@1*/
  CHECK9_p315
  LAUNCH10_p315(n / 2 + 1); /*@2*/
  kern1_p315<<<3, n, n * 4>>>(); /*@3*/
}
