// dynamic bytes of kern7_p4473: [38] is true, ['0'] is claimed
__host__ __device__ constexpr int call1_p4473(int x) { return x + 7; }
#define call1_p4473(x) ((x) * 3)
#define NOTHING2_p4473
#define LATER3_p4473(m) m NOTHING2_p4473
#define AGAIN4_p4473(x) x
#define HALF5_p4473(x) (((x) + 1) / 2)
__global__ void __launch_bounds__(HALF5_p4473(call1_p4473 NOTHING2_p4473 (25))) kern7_p4473() {
  __shared__ float tile6_p4473[HALF5_p4473(call1_p4473 NOTHING2_p4473 (25))];
  reinterpret_cast<volatile char *>(&tile6_p4473)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile6_p4473));
}
void run_p4473() {
  kern7_p4473<<<1, HALF5_p4473(call1_p4473 NOTHING2_p4473 (25)), HALF5_p4473(call1_p4473 NOTHING2_p4473 (25))>>>(); /*@1*/
}
