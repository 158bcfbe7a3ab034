// block of kern1_p1660: [(64, 1, 1)] is true, {'value': 96, 'dimensions': [96, 1, 1]} is claimed
// block of kern1_p1660: [(64, 1, 1)] is true, {'value': 96, 'dimensions': [96, 1, 1]} is claimed
#define CHECK4_p1660(x) 
#define CHECK5_p1660 { }
__global__ void kern1_p1660() {
  CHECK4_p1660(n)
  __shared__ float tile2_p1660[14];
  reinterpret_cast<volatile char *>(&tile2_p1660)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile2_p1660));
  CHECK5_p1660
}
#define LAUNCH6_p1660(size) kern1_p1660<<<1, size>>>();
#define CHECK7_p1660(x) if (n > 64) n = 64;
void run_p1660() {
  int n = 96;
  bool on = n > 96;
  LAUNCH6_p1660(64); /*@1*/
  CHECK7_p1660(n)
  kern1_p1660<<<2, n>>>(); /*@2*/
  kern1_p1660<<<3, n, 0>>>(); /*@3*/
}
