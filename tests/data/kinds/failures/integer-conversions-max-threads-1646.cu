// max threads of kern1_p1646: [64] is true, ['0'] is claimed
__global__ void __launch_bounds__((((((00 < 0) & (010u * 256ul)) != 00) % 61 + 64))) kern1_p1646() {
}
static constexpr bool var2_p1646 = (bool)-0x80u;
#define calc3_p1646 ((((int(((0b11u ^ 128ULL))) / ((63 - true) | ('Z' > var2_p1646))) & 127u) + 4))
__global__ void __launch_bounds__(calc3_p1646) kern5_p1646() {
  __shared__ double tile4_p1646[calc3_p1646];
  reinterpret_cast<volatile char *>(&tile4_p1646)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile4_p1646));
}
void run_p1646() {
  kern1_p1646<<<1, (((((00 < 0) & (010u * 256ul)) != 00) % 61 + 64))>>>(); /*@1*/
  kern5_p1646<<<2, calc3_p1646>>>(); /*@2*/
}
