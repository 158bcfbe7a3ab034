#define KEEP(x) asm volatile("" :: "l"(&(x)))
struct V { char c; float3 a; float2 b; float4 d; double2 e; uchar3 f; ushort4 g; };
__global__ void k(float *p) { __shared__ char s[sizeof(V) * 2]; KEEP(s); }
int main()
{
  k<<<1, sizeof(V) * 1>>>(nullptr);
}
