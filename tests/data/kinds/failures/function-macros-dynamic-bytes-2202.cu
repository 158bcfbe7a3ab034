// dynamic bytes of kern5_p2202: [23] is true, ['0'] is claimed
__host__ __device__ constexpr int call1_p2202(int x) { return x + 7; }
#define call1_p2202(x) ((x) * 3)
#define NOTHING2_p2202
#define LATER3_p2202(m) m NOTHING2_p2202
#define AGAIN4_p2202(x) x
__global__ void kern5_p2202() {
}
void run_p2202() {
  kern5_p2202<<<1, 64, call1_p2202 NOTHING2_p2202 (16)>>>(); /*@1*/
}
