// kernel of kern2_p1329: compiled is true, None is claimed
constexpr int width1_p1329 = 167;
#if 0
/* closed */ ' "
#endif
__global__ void kern2_p1329() {
}
static void go3_p1329() {
  kern2_p1329<<<1, width1_p1329>>>(); /*@1*/
}
void run_p1329() {
  go3_p1329();
}
