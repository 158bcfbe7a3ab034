// shared of kern3_p30: [7] is true, ['9…16'] is claimed
// static bytes of kern3_p30: [7] is true, ['9…16'] is claimed
struct __attribute__((packed)) Bits1_p30 {
  char first;
  int b0 : 12;
  short : 0;
  char b2 : 6;
  int b3 : 28;
};
__global__ void kern3_p30() {
  __shared__ Bits1_p30 obj2_p30;
  reinterpret_cast<volatile char *>(&obj2_p30)[threadIdx.x] = 1; asm volatile("" :: "l"(&obj2_p30));
}
void run_p30() {
  kern3_p30<<<1, 64, 3 * sizeof(Bits1_p30)>>>(); /*@1*/
}
