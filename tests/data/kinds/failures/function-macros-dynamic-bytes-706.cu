// dynamic bytes of kern4_p706: [8] is true, ['0'] is claimed
#define TEXT1_p706(x) #x
#define EXPANDED2_p706(x) TEXT1_p706(x)
#define NAMED3_p706 a + b
__global__ void __launch_bounds__(sizeof(EXPANDED2_p706(NAMED3_p706/* no */1))) kern4_p706() {
}
void run_p706() {
  kern4_p706<<<1, sizeof(EXPANDED2_p706(NAMED3_p706/* no */1)), sizeof(EXPANDED2_p706(NAMED3_p706/* no */1))>>>(); /*@1*/
}
