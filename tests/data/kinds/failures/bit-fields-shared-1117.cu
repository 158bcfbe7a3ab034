// shared of kern3_p1117: [15] is true, ['18…32'] is claimed
// static bytes of kern3_p1117: [15] is true, ['18…32'] is claimed
struct __attribute__((packed)) Bits1_p1117 {
  char first;
  bool b0 : 1;
  char b1 : 8;
  unsigned char : 0;
  unsigned b3 : 20;
};
__global__ void kern3_p1117() {
  __shared__ Bits1_p1117 obj2_p1117[3];
  reinterpret_cast<volatile char *>(&obj2_p1117)[threadIdx.x] = 1; asm volatile("" :: "l"(&obj2_p1117));
}
void run_p1117() {
  kern3_p1117<<<1, 64, 3 * sizeof(Bits1_p1117)>>>(); /*@1*/
}
