// shared of kern4_p4031: [114] is true, ['32'] is claimed
// max threads of kern4_p4031: [57] is true, ['16'] is claimed
// block of kern4_p4031: [(57, 1, 1)] is true, {'value': 16, 'dimensions': [16, 1, 1]} is claimed
// static bytes of kern4_p4031: [114] is true, ['32'] is claimed
// sizes of kern4_p4031: [57] is true, [{'sizes': [16], 'upper_bound': False, 'assumed': False, 'origin': 'of the launch in this file', 'reason': None}] is claimed
template <typename T>
struct Size1_p4031 { static constexpr int value = 57; };
template <>
struct Size1_p4031<double> { static constexpr int value = 16; };
template <typename T>
struct Size1_p4031<T *> { static constexpr int value = Size1_p4031<T>::value + 2; };
using alias2_p4031 = double;
__global__ void __launch_bounds__(Size1_p4031<const double>::value) kern4_p4031() {
  __shared__ short tile3_p4031[Size1_p4031<const double>::value];
  reinterpret_cast<volatile char *>(&tile3_p4031)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile3_p4031));
}
void run_p4031() {
  kern4_p4031<<<1, Size1_p4031<const double>::value>>>(); /*@1*/
}
