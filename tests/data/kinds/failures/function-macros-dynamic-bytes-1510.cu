// dynamic bytes of kern2_p1510: [25] is true, ['0'] is claimed
#define PAIR1_p1510(a, b) (1 a + b 24)
__global__ void kern2_p1510() {
}
#define BOTH3_p1510(x) (x * 4)
__global__ void __launch_bounds__(BOTH3_p1510(11)) kern4_p1510() {
}
static void go5_p1510() {
  kern4_p1510<<<2, BOTH3_p1510(11)>>>(); /*@2*/
}
#undef BOTH3_p1510
#define BOTH3_p1510 (9)
__global__ void kern6_p1510() {
}
void run_p1510() {
  kern2_p1510<<<1, PAIR1_p1510(, ), PAIR1_p1510(, )>>>(); /*@1*/
  go5_p1510();
  kern6_p1510<<<3, 64, (3 + BOTH3_p1510)>>>(); /*@3*/
}
