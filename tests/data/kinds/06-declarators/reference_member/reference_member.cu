#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct View { const double &value; char (&text)[80]; };
__global__ void k(float *p) { __shared__ char raw[sizeof(View) * 3]; KEEP(raw); }
int main()
{
  k<<<1, sizeof(View) * 4>>>(nullptr);
}
