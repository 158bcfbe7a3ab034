// block of kern1_p863: [(29, 2, 3)] is true, {'value': None, 'reason': 'a dim3 is not a single number', 'line': 6, 'column': 22, 'dimensions': [None, None, 984]} is claimed
// error of OCC001: compiles and runs is true, line 6: OCC001: 984 threads in z; a block has at most 64 in that dimension is claimed
__global__ void kern1_p863(int n) {
}
void run_p863() {
  cudaLaunchConfig_t config2{};
  config2 = {dim3(1), dim3(29, 2, 3), 984};
  cudaLaunchKernelEx(&config2, kern1_p863, 3); /*@1*/
}
