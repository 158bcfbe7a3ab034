// kernel of kern3_p1183: compiled is true, None is claimed
constexpr int width1_p1183 = 152;
#if 0
it's not code
#endif
__global__ void __launch_bounds__(width1_p1183) kern3_p1183() {
  __shared__ float tile2_p1183[width1_p1183];
  reinterpret_cast<volatile char *>(&tile2_p1183)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile2_p1183));
}
void run_p1183() {
  kern3_p1183<<<1, width1_p1183>>>(); /*@1*/
}
