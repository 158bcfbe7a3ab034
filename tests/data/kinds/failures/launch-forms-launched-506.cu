// launched of f6: ['kern5_p506'] is true, ['f6'] is claimed
// dynamic bytes of kern5_p506: [252] is true, ['0'] is claimed
__global__ void kern1_p506(int n) {
}
__global__ void kern4_p506() {
}
__global__ void kern5_p506() {
}
void run_p506() {
  int args2_n = 3; void *args2[] = {&args2_n};
  dim3 size3 = dim3(8, 8);
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(&kern1_p506), dim3(1), size3, args2, 128, 0); /*@1*/
  void (*f6)() = kern4_p506;
  f6 = kern5_p506;
  f6<<<2, 192, 63 * sizeof(float)>>>(); /*@2*/
}
