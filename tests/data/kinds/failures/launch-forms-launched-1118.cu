// launched of : ['kern2_p1118'] is true, [''] is claimed
__global__ void kern1_p1118() {
}
__global__ void kern2_p1118() {
}
void run_p1118() {
  void (*all3[])() = {kern1_p1118, kern2_p1118};
  all3[1]<<<1, 768>>>(); /*@1*/
}
