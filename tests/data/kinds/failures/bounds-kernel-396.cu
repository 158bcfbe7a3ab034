// kernel of kern1_p396: compiled is true, None is claimed
// kernel of BOUNDS2_p396::kern1_p396: None is true, told is claimed
// launched of BOUNDS2_p396::kern1_p396: ['kern1_p396'] is true, ['BOUNDS2_p396::kern1_p396'] is claimed
#define BOUNDS2_p396 __attribute__((launch_bounds(128)))
__global__ void BOUNDS2_p396 kern1_p396() {
}
void run_p396() {
  kern1_p396<<<1, 128>>>(); /*@1*/
}
