// shared of kern4_p18984: [156] is true, ['12…16'] is claimed
// max threads of kern4_p18984: [39] is true, ['3'] is claimed
// block of kern4_p18984: [(39, 1, 1)] is true, {'value': 3, 'dimensions': [3, 1, 1]} is claimed
// static bytes of kern4_p18984: [156] is true, ['12…16'] is claimed
// sizes of kern4_p18984: [39] is true, [{'sizes': [3], 'upper_bound': False, 'assumed': False, 'origin': 'of the launch in this file', 'reason': None}] is claimed
template <typename T>
struct Size1_p18984 { static constexpr int value = 39; };
template <>
struct Size1_p18984<double> { static constexpr int value = 3; };
template <typename T>
struct Size1_p18984<T *> { static constexpr int value = Size1_p18984<T>::value + 6; };
using alias2_p18984 = double;
__global__ void __launch_bounds__(Size1_p18984<const double>::value) kern4_p18984() {
  __shared__ int tile3_p18984[Size1_p18984<const double>::value];
  reinterpret_cast<volatile char *>(&tile3_p18984)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile3_p18984));
}
void run_p18984() {
  kern4_p18984<<<1, Size1_p18984<const double>::value>>>(); /*@1*/
}
