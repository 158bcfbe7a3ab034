// shared of kern3_p3057: [42] is true, ['48'] is claimed
// static bytes of kern3_p3057: [42] is true, ['48'] is claimed
struct __attribute__((packed)) Bits1_p3057 {
  char first;
  unsigned char b0 : 5;
  int m1;
  bool b2 : 1;
  bool : 0;
  char : 5;
  long long : 1;
  bool : 1;
};
__global__ void kern3_p3057() {
  __shared__ Bits1_p3057 obj2_p3057[2][3];
  reinterpret_cast<volatile char *>(&obj2_p3057)[threadIdx.x] = 1; asm volatile("" :: "l"(&obj2_p3057));
}
void run_p3057() {
  kern3_p3057<<<1, sizeof(Bits1_p3057) % 96 + 32, 0>>>(); /*@1*/
}
