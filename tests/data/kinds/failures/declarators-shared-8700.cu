// shared of kern3_p8700: [120] is true, ['112'] is claimed
// dynamic of kern3_p8700: [360] is true, {'value': 336} is claimed
// static bytes of kern3_p8700: [120] is true, ['112'] is claimed
// dynamic bytes of kern3_p8700: [360] is true, ['336'] is claimed
struct S1_p8700 {
  char ((m0));
  long unsigned (*m1)(void);
  float m2[6][4];
  long unsigned m3;
};
__global__ void kern3_p8700() {
  __shared__ S1_p8700 obj2_p8700;
  reinterpret_cast<volatile char *>(&obj2_p8700)[threadIdx.x] = 1; asm volatile("" :: "l"(&obj2_p8700));
}
void run_p8700() {
  kern3_p8700<<<1, 64, 3 * sizeof(S1_p8700)>>>(); /*@1*/
}
