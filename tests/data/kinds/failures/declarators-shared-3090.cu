// shared of kern4_p3090: [24] is true, ['0…16'] is claimed
// static bytes of kern4_p3090: [24] is true, ['0…16'] is claimed
__global__ void kern4_p3090() {
  __shared__ long unsigned *v1_p3090, ((v2_p3090)), ((*v3_p3090)(void)); /*=v1_p3090*/ /*=v2_p3090*/ /*=v3_p3090*/
  reinterpret_cast<volatile char *>(&v1_p3090)[threadIdx.x] = 1; asm volatile("" :: "l"(&v1_p3090));
  reinterpret_cast<volatile char *>(&v2_p3090)[threadIdx.x] = 1; asm volatile("" :: "l"(&v2_p3090));
  reinterpret_cast<volatile char *>(&v3_p3090)[threadIdx.x] = 1; asm volatile("" :: "l"(&v3_p3090));
}
void run_p3090() {
  kern4_p3090<<<1, 128>>>(); /*@1*/
}
