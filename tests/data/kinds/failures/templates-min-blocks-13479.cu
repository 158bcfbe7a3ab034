// min blocks of kern2_p13479: [0] is true, ['3'] is claimed
template <int... Ns>
struct Sum1_p13479 { static constexpr int value = 1 + sizeof...(Ns); };
__global__ void __launch_bounds__(Sum1_p13479<9, 3, 20>::value) kern2_p13479() {
}
void run_p13479() {
  kern2_p13479<<<1, Sum1_p13479<9, 3, 20>::value>>>(); /*@1*/
}
