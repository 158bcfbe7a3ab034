#define KEEP(x) asm volatile("" :: "l"(&(x)))
typedef struct { char tag; double v; } __attribute__((packed)) Rec;
__global__ void k(float *p) { __shared__ char s[sizeof(Rec) * 8]; KEEP(s); }
int main()
{
  k<<<1, sizeof(Rec) * 8>>>(nullptr);
}
