// max threads of kern1_p1363: [128] is true, ['0'] is claimed
// min blocks of kern1_p1363: [10] is true, ['0'] is claimed
#define BOUNDS2_p1363 __attribute__((launch_bounds(128, 10)))
#include "decl3_p1363.cuh"
extern "C" __global__ void kern1_p1363();
extern "C" __global__ void  kern1_p1363() {
}
void run_p1363() {
  kern1_p1363<<<1, 4>>>(); /*@1*/
}
