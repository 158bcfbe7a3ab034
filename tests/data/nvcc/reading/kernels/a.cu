#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <stdint.h>
// ---- dead / alive arrays
__device__ void storeonly(float *s, float v) { s[threadIdx.x] = v; }
__device__ float loadit(float *s) { return s[threadIdx.x ^ 1]; }
__device__ void noop(float *s) {}
__device__ void maybe(float *s, bool b) { if (b) s[0] = 1; }
__device__ __noinline__ void ni(float *s) { s[threadIdx.x] = 2; }
__global__ void d1(float *o) { __shared__ float a[64]; storeonly(a, o[0]); }
__global__ void d2(float *o) { __shared__ float a[64]; storeonly(a, o[0]); __syncthreads(); o[1] = loadit(a); }
__global__ void d3(float *o) { __shared__ float a[64]; noop(a); o[1] = 0; }
__global__ void d4(float *o) { __shared__ float a[64]; maybe(a, false); o[1] = 0; }
__global__ void d5(float *o) { __shared__ float a[64]; ni(a); }
__global__ void d6(float *o) { __shared__ float a[64]; float *p = a; p[threadIdx.x] = o[0]; __syncthreads(); o[1] = p[0]; }
__global__ void d7(float *o) { __shared__ float a[64]; float *p = a; p[threadIdx.x] = o[0]; __syncthreads(); }
__global__ void d8(float *o) { __shared__ float a[64]; __shared__ float b[32]; a[threadIdx.x] = o[0]; b[threadIdx.x] = a[0]; }
__global__ void d9(float *o) { __shared__ float a[64]; __shared__ float b[32]; a[threadIdx.x] = o[0]; __syncthreads(); b[threadIdx.x] = a[0]; __syncthreads(); o[0] = b[3]; }
__global__ void d10(float *o) { __shared__ float a[64]; a[threadIdx.x] = o[0]; __syncthreads(); float x = a[3]; (void)x; }
__global__ void d11(float *o, int n) { __shared__ float a[64]; if (n == 12345) { a[threadIdx.x] = 1; __syncthreads(); o[0] = a[1]; } }
__global__ void d12(float *o, int n) { __shared__ float a[64]; const bool dbg = false; if (dbg) { a[threadIdx.x] = 1; __syncthreads(); o[0] = a[1]; } }
__global__ void d13(float *o, int n) { __shared__ float a[64]; return; a[threadIdx.x] = 1; __syncthreads(); o[0] = a[1]; }
__global__ void d14(float *o) { __shared__ float a[64]; volatile float *v = a; v[threadIdx.x] = 1; }
__global__ void d15(float *o) { __shared__ volatile float a[64]; a[threadIdx.x] = 1; }
__global__ void d16(float *o) { __shared__ float a; if (threadIdx.x == 0) a = o[0]; __syncthreads(); o[threadIdx.x] = a; }
__global__ void d17(float *o) { __shared__ float a; a = o[0]; o[threadIdx.x] = a; }
__global__ void d18(float *o) { __shared__ float a[64]; o[threadIdx.x] = sizeof(a); }
__global__ void d19(float *o) { __shared__ float a[64]; __shared__ float b[16]; float *p = o[0] > 1 ? a : b; p[threadIdx.x] = 1; __syncthreads(); o[1] = p[2]; }
__global__ void d20(float *o) { __shared__ int a[4]; atomicAdd(&a[0], 1); }
__global__ void d21(float *o) { __shared__ int a[4]; int k = atomicAdd(&a[0], 1); o[k] = 1; }
__global__ void d22(float *o) { __shared__ float a[64]; for (int i = 0; i < 0; i++) { a[i] = 1; o[i] = a[i+1]; } }
__global__ void d23(float *o) { __shared__ float a[64]; asm volatile("st.shared.f32 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(a)), "f"(o[0])); }
__global__ void d24(float *o) { __shared__ float a[64]; unsigned p = (unsigned)__cvta_generic_to_shared(a); o[0] = p; }
__global__ void d25(float *o) { __shared__ float a[64]; o[threadIdx.x] = a[threadIdx.x]; }
__global__ void d26(float *o) { __shared__ float a[64]; a[0] = 3; o[threadIdx.x] = a[0]; }
__global__ void d27(float **o) { __shared__ float a[64]; o[0] = a; }
__global__ void d28(float *o) { __shared__ float a[64], b[32], *c; c = a; c[threadIdx.x] = 1; b[threadIdx.x] = 2; __syncthreads(); o[0] = a[1] + b[2]; }
__global__ void d29(float *o) { static __shared__ float a[64]; a[threadIdx.x] = 1; __syncthreads(); o[0] = a[1]; }
__global__ void d30(float *o) { __shared__ union { float f[20]; int i[10]; } u; u.f[threadIdx.x] = o[1]; __syncthreads(); o[0] = u.i[1]; }
__global__ void d31(float *o) { __shared__ struct { float f[20]; char c; } u[3]; u[0].f[threadIdx.x] = o[1]; __syncthreads(); o[0] = u[1].c + u[1].f[3]; }
__device__ float fs(float x) { __shared__ float t[32]; t[threadIdx.x] = x; __syncthreads(); return t[1]; }
__global__ void d32(float *o) { o[0] = fs(o[1]); o[2] = fs(o[3]); }
__global__ void d33(float *o) { if (false) o[0] = fs(o[1]); }
__global__ void d34(float *o) { float (*p)(float) = fs; o[0] = p(o[1]); }
__global__ void d35(float *o) { auto l = [&](float x) { __shared__ float t[8]; t[threadIdx.x] = x; __syncthreads(); return t[1]; }; o[0] = l(o[1]) + l(o[2]); }
template <class F> __device__ float ap(F f, float x) { __shared__ float t[8]; t[threadIdx.x] = f(x); __syncthreads(); return t[1]; }
__global__ void d36(float *o) { o[0] = ap([] __device__(float x) { return x + 1; }, o[1]) + ap([] __device__(float x) { return x * 2; }, o[2]); }
struct Op { __device__ float operator()(float x) const { __shared__ float t[16]; t[threadIdx.x] = x; __syncthreads(); return t[2]; } };
__global__ void d37(float *o) { Op q; o[0] = q(o[1]); }
template <class F> __global__ void d38(float *o) { F f; o[0] = f(o[1]); }
template __global__ void d38<Op>(float *);
struct Hs { static __device__ float go(float x) { __shared__ float t[16]; t[threadIdx.x] = x; __syncthreads(); return t[2]; } };
template <class T> __global__ void d39(float *o) { o[0] = T::go(o[1]); }
template __global__ void d39<Hs>(float *);
struct Ctor { float v; __device__ Ctor(float x) { __shared__ float t[16]; t[threadIdx.x] = x; __syncthreads(); v = t[2]; } };
__global__ void d40(float *o) { Ctor c(o[1]); o[0] = c.v; }
__global__ void d41(float *o) { o[0] = Ctor(o[1]).v; }
struct Dtor { float *p; __device__ ~Dtor() { __shared__ float t[16]; t[threadIdx.x] = *p; __syncthreads(); *p = t[2]; } };
__global__ void d42(float *o) { Dtor c{o}; o[1] = 0; }
struct Conv { float x; __device__ operator float() const { __shared__ float t[16]; t[threadIdx.x] = x; __syncthreads(); return t[2]; } };
__global__ void d43(float *o) { Conv c{o[1]}; o[0] = c; }
struct Plus { float x; }; __device__ Plus operator+(Plus a, Plus b) { __shared__ float t[16]; t[threadIdx.x] = a.x; __syncthreads(); return Plus{t[2] + b.x}; }
__global__ void d44(float *o) { Plus a{o[1]}, b{o[2]}; Plus c = a + b; o[0] = c.x; }
struct Ix { __device__ float operator[](int i) const { __shared__ float t[16]; t[threadIdx.x] = i; __syncthreads(); return t[2]; } };
__global__ void d45(float *o) { Ix c; o[0] = c[3]; }
struct Mem { float t[24]; int n; };
__device__ Mem &getm() { static __shared__ Mem m; return m; }
__global__ void d46(float *o) { Mem &m = getm(); m.t[threadIdx.x] = o[1]; __syncthreads(); o[0] = m.t[3]; }
__shared__ float glob[40];
__device__ float useg(float x) { glob[threadIdx.x] = x; __syncthreads(); return glob[1]; }
__global__ void d47(float *o) { o[0] = useg(o[1]); }
__global__ void d48(float *o) { float glob[4]; glob[0] = o[0]; o[1] = glob[0]; }
namespace q { __shared__ int gg[10]; } using namespace q;
__global__ void d49(float *o) { gg[threadIdx.x] = o[1]; __syncthreads(); o[0] = gg[2]; }
__global__ void d50(float *o) { extern __shared__ float dyn[]; __shared__ float a[7]; dyn[threadIdx.x] = 1; a[threadIdx.x] = 3; __syncthreads(); o[0] = dyn[1] + a[2]; }
struct Inh : Mem { char e; };
__global__ void d51(float *o) { __shared__ Inh m[3]; m[threadIdx.x].t[1] = o[1]; m[threadIdx.x].e = 1; __syncthreads(); o[0] = m[1].t[1] + m[0].e; }
struct Emp {}; struct InhE : Emp { char c; }; struct WithE { Emp e; int x; }; struct Virt { virtual __device__ int f() { return 1; } int x; }; struct Bits { int a : 3; int b : 30; unsigned c : 2; char d; };
__global__ void d52(float *o) { __shared__ InhE m[64]; m[threadIdx.x].c = o[1]; __syncthreads(); o[0] = m[1].c; }
__global__ void d53(float *o) { __shared__ WithE m[64]; m[threadIdx.x].x = o[1]; __syncthreads(); o[0] = m[1].x; }
__global__ void d54(float *o) { __shared__ Bits m[64]; m[threadIdx.x].a = o[1]; __syncthreads(); o[0] = m[1].a + m[2].d; }
struct Dflt { float x[3]; __device__ Dflt() {} };
__global__ void d55(float *o) { __shared__ Dflt m[64]; m[threadIdx.x].x[0] = o[1]; __syncthreads(); o[0] = m[1].x[0]; }
struct __align__(32) Al { char c; }; struct alignas(16) Al2 { char c; Al *p; }; struct Al3 { char c; double d; } __attribute__((packed)); struct __attribute__((aligned(64))) Al4 { char c; };
__global__ void d56(float *o) { __shared__ Al m[64]; m[threadIdx.x].c = o[1]; __syncthreads(); o[0] = m[1].c; }
__global__ void d57(float *o) { __shared__ Al2 m[64]; m[threadIdx.x].c = o[1]; __syncthreads(); o[0] = m[1].c; }
__global__ void d58(float *o) { __shared__ Al3 m[64]; m[threadIdx.x].d = o[1]; __syncthreads(); o[0] = m[1].d; }
__global__ void d59(float *o) { __shared__ Al4 m[64]; m[threadIdx.x].c = o[1]; __syncthreads(); o[0] = m[1].c; }
#pragma pack(push, 1)
struct Pk { char c; double d; };
#pragma pack(pop)
__global__ void d60(float *o) { __shared__ Pk m[64]; m[threadIdx.x].d = o[1]; __syncthreads(); o[0] = m[1].d; }
__global__ void d61(float *o) { __shared__ float3 m[64]; m[threadIdx.x].x = o[1]; __syncthreads(); o[0] = m[1].x; }
__global__ void d62(float *o) { __shared__ long double m[64]; m[threadIdx.x] = o[1]; __syncthreads(); o[0] = m[1]; }
__global__ void d63(float *o) { __shared__ double4 m[6]; m[threadIdx.x].x = o[1]; __syncthreads(); o[0] = m[1].x; }
__global__ void d64(float *o) { __shared__ wchar_t m[64]; m[threadIdx.x] = o[1]; __syncthreads(); o[0] = m[1]; }
__global__ void d65(float *o) { __shared__ bool m[64]; m[threadIdx.x] = o[1]; __syncthreads(); o[0] = m[1]; }
__global__ void d66(float *o) { __shared__ size_t m[64]; m[threadIdx.x] = o[1]; __syncthreads(); o[0] = m[1]; }
__global__ void d67(float *o) { __shared__ __half2 m[64]; m[threadIdx.x] = __float2half2_rn(o[1]); __syncthreads(); o[0] = __low2float(m[1]); }
enum E8 : unsigned char { A8 }; enum En { AN };
__global__ void d68(float *o) { __shared__ E8 m[64]; m[threadIdx.x] = (E8)o[1]; __syncthreads(); o[0] = m[1]; }
__global__ void d69(float *o) { __shared__ En m[64]; m[threadIdx.x] = (En)o[1]; __syncthreads(); o[0] = m[1]; }
__global__ void d70(float *o) { __shared__ void *m[64]; m[threadIdx.x] = o; __syncthreads(); o[0] = m[1] == 0; }
__global__ void d71(float *o) { __shared__ float (*m)[64]; __shared__ float *(n[64]); if (threadIdx.x == 0) m = (float (*)[64])o; n[threadIdx.x] = o; __syncthreads(); o[0] = (*m)[1] + *n[4]; }
typedef float V4 __attribute__((vector_size(16)));
typedef float arr8[8];
__global__ void d72(float *o) { __shared__ arr8 m[4]; m[0][threadIdx.x] = o[1]; __syncthreads(); o[0] = m[1][1]; }
__global__ void d73(float *o) { __shared__ decltype(o[0] + 1.0) *m[4]; __shared__ decltype(1.0f) z[4]; z[threadIdx.x] = 1; __syncthreads(); o[0] = z[1]; }
__global__ void d74(float *o) { __shared__ alignas(64) char m[10]; __shared__ char n[3]; m[threadIdx.x] = 1; n[threadIdx.x] = 2; __syncthreads(); o[0] = m[1] + n[2]; }
__global__ void d75(float *o) { __shared__ float m['a'], n[010], p[0x10], r[0b11], t[1'0]; m[threadIdx.x] = 1; n[threadIdx.x] = 2; p[threadIdx.x] = 3; r[threadIdx.x] = 3; t[threadIdx.x] = 7; __syncthreads(); o[0] = m[1] + n[2] + p[4] + r[1] + t[2]; }
