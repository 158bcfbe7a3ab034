// max threads of kern2_p927: [96] is true, ['0'] is claimed
__host__ __device__ constexpr bool conv1_p927(unsigned x) { return x; }
__global__ void __launch_bounds__(((((long long)(((0x2l + 63U))) ^ (sizeof(unsigned long long) - conv1_p927('a'))) / 2 < 0 ? 24 : 96))) kern2_p927() {
}
void run_p927() {
  kern2_p927<<<1, ((((long long)(((0x2l + 63U))) ^ (sizeof(unsigned long long) - conv1_p927('a'))) / 2 < 0 ? 24 : 96)), ((((long long)(((0x2l + 63U))) ^ (sizeof(unsigned long long) - conv1_p927('a'))) / 2 < 0 ? 24 : 96))>>>(); /*@1*/
}
