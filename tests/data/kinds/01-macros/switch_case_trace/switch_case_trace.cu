#define COUNT ++calls;
static int calls;
__global__ void reduce(float *p) { p[threadIdx.x] = 0; }
int pick(int kind)
{
  int b = 32;
  switch (kind) {
  case 1:
    COUNT
    b = 128;
    break;
  default:
    COUNT
    b = 384;
  }
  return b;
}
int main(int argc, char **)
{
  reduce<<<1, pick(argc)>>>(nullptr);
}
