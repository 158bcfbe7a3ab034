// sizes of kern1_p1310: [512] is true, [{'sizes': [64, 96, 320], 'upper_bound': False, 'assumed': False, 'origin': 'of the launches in this file', 'reason': 'n depends on a branch'}] is claimed
// dynamic bytes of kern1_p1310: [0, 2048] is true, ['0…1280'] is claimed
#define CHECK4_p1310 do { } while (0)
#define CHECK5_p1310 do { (void)0; } while (0);
__global__ void kern1_p1310() {
  CHECK4_p1310;
  __shared__ float tile2_p1310[21];
  reinterpret_cast<volatile char *>(&tile2_p1310)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile2_p1310));
  CHECK5_p1310
  __syncthreads();
}
#define CHECK6_p1310 (void)0
#define CHECK7_p1310 (void)0
#define CHECK8_p1310 do { n = 512; } while (0);
void run_p1310() {
  int n = 320;
  bool on = true;
  switch (n % 2) {
  case 0:
  CHECK6_p1310;
  n = 96;
  break;
  default:
  CHECK7_p1310;
  n = 64;
  }
  CHECK8_p1310;
  kern1_p1310<<<1, n>>>(); /*@1*/
  kern1_p1310<<<2, n, n * 4>>>(); /*@2*/
}
