// launched of : ['kern2_p15'] is true, [''] is claimed
__global__ void kern1_p15() {
}
__global__ void kern2_p15() {
}
void run_p15() {
  void (*all3[])() = {kern1_p15, kern2_p15};
  all3[1]<<<1, dim3(4, 6)>>>(); /*@1*/
}
