// program 2396 (constant indices): shared of kern2_p2396: [2] is true, ['8…16'] is claimed
// program 2396 (constant indices): static bytes of kern2_p2396: [2] is true, ['8…16'] is claimed
__global__ void kern2_p2396(char *p) {
  __shared__ char tile1_p2396[8];
  tile1_p2396[0] = p[0];
  tile1_p2396[2] = p[2];
  tile1_p2396[4] = p[4];
  __syncthreads();
  p[threadIdx.x] = tile1_p2396[0] + tile1_p2396[4];
  p[1] = tile1_p2396[p[0] > 0 ? 0 : 0];
}
void run_p2396() {
  kern2_p2396<<<1, 384>>>(nullptr); /*@1*/
}
