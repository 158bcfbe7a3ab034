// max threads of kern1_p4261: [64] is true, ['0'] is claimed
#define BOUNDS2_p4261 __attribute__((launch_bounds(64)))
BOUNDS2_p4261 __global__ void kern1_p4261() {
}
void run_p4261() {
  kern1_p4261<<<1, 60>>>(); /*@1*/
}
