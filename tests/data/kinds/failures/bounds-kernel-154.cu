// kernel of kern1_p154: compiled is true, None is claimed
// kernel of BOUNDS3_p154::kern1_p154: None is true, told is claimed
// launched of BOUNDS3_p154::kern1_p154: ['kern1_p154'] is true, ['BOUNDS3_p154::kern1_p154'] is claimed
#define THREADS2_p154 64
#define BOUNDS3_p154 __attribute__((launch_bounds(THREADS2_p154, 19)))
extern "C" __global__ void BOUNDS3_p154 kern1_p154() {
}
void run_p154() {
  kern1_p154<<<1, 24>>>(); /*@1*/
}
