// program 12388 (lexical): kernel of kern4_p12388: compiled is true, None is claimed
constexpr int width1_p12388 = 32;
[[maybe_unused]] static int kern2_p12388_n = 1; __global__ void __launch_bounds__ /* of */ ( width1_p12388
) kern2_p12388 ( ) { }
#if 0
it's not code
#endif
__global__ void __launch_bounds__(width1_p12388) kern4_p12388() {
  __shared__ short tile3_p12388[width1_p12388];
  reinterpret_cast<volatile char *>(&tile3_p12388)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile3_p12388));
}
void run_p12388() {
  kern2_p12388<<<1, width1_p12388>>>(); /*@1*/
  kern4_p12388<<<2, width1_p12388>>>(); /*@2*/
}
