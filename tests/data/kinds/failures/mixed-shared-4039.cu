// shared of kern5_p4039: [256] is true, ['96'] is claimed
// max threads of kern5_p4039: [64] is true, ['24'] is claimed
// block of kern5_p4039: [(64, 1, 1)] is true, {'value': 24, 'dimensions': [24, 1, 1]} is claimed
// dynamic of kern5_p4039: [64] is true, {'value': 24} is claimed
// static bytes of kern5_p4039: [256] is true, ['96'] is claimed
// sizes of kern5_p4039: [64] is true, [{'sizes': [24], 'upper_bound': False, 'assumed': False, 'origin': 'of the launch in this file', 'reason': None}] is claimed
// dynamic bytes of kern5_p4039: [64] is true, ['24'] is claimed
template <typename T>
struct Size1_p4039 { static constexpr int value = 64; };
template <>
struct Size1_p4039<double> { static constexpr int value = 24; };
template <typename T>
struct Size1_p4039<T *> { static constexpr int value = Size1_p4039<T>::value + 5; };
using alias2_p4039 = double;
struct Config3_p4039 { enum { n = Size1_p4039<const double>::value }; };
__global__ void __launch_bounds__(Config3_p4039::n) kern5_p4039() {
  __shared__ float tile4_p4039[Config3_p4039::n];
  reinterpret_cast<volatile char *>(&tile4_p4039)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile4_p4039));
}
void run_p4039() {
  kern5_p4039<<<1, Config3_p4039::n, Config3_p4039::n>>>(); /*@1*/
}
