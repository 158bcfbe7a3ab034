// program 17872 (constant indices): shared of kern2_p17872: [4] is true, ['32'] is claimed
// program 17872 (constant indices): static bytes of kern2_p17872: [4] is true, ['32'] is claimed
__global__ void kern2_p17872(float *p) {
  __shared__ float tile1_p17872[8];
  tile1_p17872[0] = p[0];
  tile1_p17872[0] = p[0];
  __syncthreads();
  p[threadIdx.x] = tile1_p17872[0] + tile1_p17872[0];
  p[1] = tile1_p17872[p[0] > 0 ? 0 : 0];
}
void run_p17872() {
  kern2_p17872<<<1, 320>>>(nullptr); /*@1*/
}
