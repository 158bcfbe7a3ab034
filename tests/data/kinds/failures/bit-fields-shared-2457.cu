// shared of kern3_p2457: [10] is true, ['11…16'] is claimed
// static bytes of kern3_p2457: [10] is true, ['11…16'] is claimed
struct __attribute__((packed)) Bits1_p2457 {
  char first;
  short : 0;
  int b1 : 31;
  int b2 : 12;
  long long b3 : 26;
};
__global__ void kern3_p2457() {
  __shared__ Bits1_p2457 obj2_p2457;
  reinterpret_cast<volatile char *>(&obj2_p2457)[threadIdx.x] = 1; asm volatile("" :: "l"(&obj2_p2457));
}
void run_p2457() {
  kern3_p2457<<<1, 64, 3 * sizeof(Bits1_p2457)>>>(); /*@1*/
}
