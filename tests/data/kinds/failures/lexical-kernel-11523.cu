// program 11523 (lexical): kernel of kern2_p11523: compiled is true, None is claimed
constexpr int width1_p11523 = 8;
#if 0
/* closed */ ' "
#endif
__global__ void __launch_bounds__(width1_p11523) kern2_p11523() {
}
void run_p11523() {
  kern2_p11523<<<1, width1_p11523>>>(); /*@1*/
}
