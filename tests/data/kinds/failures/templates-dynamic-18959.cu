// dynamic of kern3_p18959: [24] is true, {'value': 37} is claimed
// dynamic bytes of kern3_p18959: [24] is true, ['37'] is claimed
template <typename T>
struct Size1_p18959 { static constexpr int value = 24; };
template <>
struct Size1_p18959<double> { static constexpr int value = 37; };
template <typename T>
struct Size1_p18959<T *> { static constexpr int value = Size1_p18959<T>::value + 6; };
using alias2_p18959 = float;
__global__ void kern3_p18959() {
}
void run_p18959() {
  kern3_p18959<<<1, 128, Size1_p18959<const double>::value>>>(); /*@1*/
}
