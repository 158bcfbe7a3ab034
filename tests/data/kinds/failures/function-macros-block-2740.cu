// block of kern2_p2740: [(6, 1, 1)] is true, {'value': 18, 'dimensions': [18, 1, 1]} is claimed
// sizes of kern2_p2740: [6] is true, [{'sizes': [18], 'upper_bound': False, 'assumed': False, 'origin': 'of the launch in this file', 'reason': None}] is claimed
__host__ __device__ constexpr int own1_p2740(int x) { return x + 2; }
#define own1_p2740(x) own1_p2740((x) * 4)
__global__ void kern2_p2740() {
}
#define LONG3_p2740(x, \
    y) /* of two */ ((x) * \
    /* and */ (y) \
    + 8)  // its end
__global__ void kern4_p2740() {
}
void run_p2740() {
  kern2_p2740<<<1, (own1_p2740)(4)>>>(); /*@1*/
  kern4_p2740<<<2, LONG3_p2740(3,
    7)>>>(); /*@2*/
}
