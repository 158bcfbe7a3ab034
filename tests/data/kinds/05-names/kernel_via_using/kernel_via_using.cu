namespace impl { __global__ void __launch_bounds__(96) run(float *p) { p[threadIdx.x] = 1; } }
__global__ void other(float *p) { p[threadIdx.x] = 1; }
int main()
{
  using impl::run;
  run<<<1, 96>>>(nullptr);
  other<<<1, 700>>>(nullptr);
}
