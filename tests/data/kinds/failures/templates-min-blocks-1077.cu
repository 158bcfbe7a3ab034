// min blocks of kern3_p1077: [0] is true, ['9'] is claimed
template <int... Ns>
struct Sum1_p1077 { static constexpr int value = 1 + (0 + ... + int(sizeof(char[Ns]))); };
__global__ void __launch_bounds__(Sum1_p1077<15, 9, 5>::value) kern3_p1077() {
  __shared__ short tile2_p1077[Sum1_p1077<15, 9, 5>::value];
  reinterpret_cast<volatile char *>(&tile2_p1077)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile2_p1077));
}
void run_p1077() {
  kern3_p1077<<<1, Sum1_p1077<15, 9, 5>::value, Sum1_p1077<15, 9, 5>::value>>>(); /*@1*/
}
