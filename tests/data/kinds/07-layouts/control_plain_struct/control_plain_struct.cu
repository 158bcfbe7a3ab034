#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct Particle { float4 pos; float3 vel; int id; char kind; };
__global__ void k(float *p) { __shared__ Particle v[6]; KEEP(v); }
int main()
{
  k<<<1, sizeof(Particle) * 2>>>(nullptr);
}
