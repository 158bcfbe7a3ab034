// Macros as members of classes and in their declarators. Behind each kernel: its bytes of shared memory by nvcc 13.0.
#define MEMBERS int *a; int *b;
#define NOSEMI int d
#define NAMES a, b
#define ARR a[16]
#define TWO a; int b;
#define TYPE int x; float
#define INT int
#define STAR *
#define COLON : 3
#define EMPTY
#define ALIGN __align__(16)
#define OPEN struct { int q[5]; }
#define FN(x) x
#define ST static
#define PUB public:
#define VIRT virtual ~A0() {}
#define VF(n) virtual void n();
#define CTOR(T) __device__ T() {}
#define EXT [8]
#define INIT = 3
struct A1 { NOSEMI; int x; };
struct A2 { int y; MEMBERS };
struct A3 { float NAMES; };
struct A4 { float ARR; };
struct A5 { int TWO };
struct A6 { TYPE y; };
struct A7 { INT TWO };
struct A8 { int STAR p; int y; };
struct A9 { int a COLON; int b COLON; };
struct B1 { EMPTY int a; EMPTY float b; EMPTY };
struct B2 { EMPTY; int a; };
struct B3 { ALIGN int a; };
struct B4 { int a ALIGN; };
struct B5 { OPEN a; int b; };
struct B6 { OPEN; int b; };
struct B7 { ST int s; int b; };
struct B8 { PUB int b; PUB int c; };
struct B9 { int FN(a); int FN(b)[4]; };
struct C1 { FN(int) a; FN(int e; int b); };
struct C2 { int a EXT; int b EXT EXT; };
struct C3 { int a INIT; int b; };
struct C4 { VF(f) int b; };
struct C5 { int b; VF(f) };
struct C6 { int b; CTOR(C6) int c; };
struct C7 { int b; CTOR(C7); double c; };
struct C9 { int y; PUB MEMBERS int z; };
struct D1 { char c; ALIGN NOSEMI; };
struct D2 { char c; const NOSEMI; };
struct D3 { char c; volatile INT v; };
struct D4 { char c; unsigned INT v; };
struct D5 { char c; FN(unsigned) FN(long) v; };
union D6 { char c; NOSEMI; MEMBERS };
struct D7 { struct { NOSEMI; char q; } z; union { MEMBERS }; };
#define HD __host__ __device__
#define FORCE __attribute__((always_inline)) HD
#define ALIGNED(n) __align__(n)
#define SIZE (4 * 2)
#define LIST(X) X(e) X(f)
#define FIELD(n) int n;
#define PTR int *
#define DEF = default
#define WIDE 3
struct E1 { HD int f() const { return 1; } FORCE float g(int SIZED) { if (SIZED) { return 1; } return 2; } ALIGNED(16) char a[SIZE]; int b : WIDE; };
struct E2 {
#define ONE(n) double n;
  LIST(ONE)
#undef ONE
#ifdef __CUDACC__
  HD void g();
#endif
  int c;
};
struct E3 {
#ifdef __CUDACC__
  int c;
#endif
  float ARR;
};
struct E4 { PTR a, b; char c; };
class E5 { int z; public: E5() DEF; LIST(FIELD) };
struct E6 { typedef int INT2; static const int ARRS = 4; static int *PTRS; short x[ARRS]; };
struct E7 { struct In { NOSEMI; } in; In more[2]; };
struct E8 { enum { NOSEMIS, COUNT } kind; int x : 4, y : 5; unsigned FN(z) : 3; };
template <int N> struct E9T { float v[N]; int ARR; };
typedef E9T<3> E9;
struct F1 : A4 { NOSEMI; };
typedef struct { int NAMES; } F2;
__global__ void kA1(int *o) { __shared__ int b[sizeof(A1) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kA2(int *o) { __shared__ int b[sizeof(A2) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 384
__global__ void kA3(int *o) { __shared__ int b[sizeof(A3) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kA4(int *o) { __shared__ int b[sizeof(A4) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 1024
__global__ void kA5(int *o) { __shared__ int b[sizeof(A5) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kA6(int *o) { __shared__ int b[sizeof(A6) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kA7(int *o) { __shared__ int b[sizeof(A7) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kA8(int *o) { __shared__ int b[sizeof(A8) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kA9(int *o) { __shared__ int b[sizeof(A9) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 64
__global__ void kB1(int *o) { __shared__ int b[sizeof(B1) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kB2(int *o) { __shared__ int b[sizeof(B2) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 64
__global__ void kB3(int *o) { __shared__ int b[sizeof(B3) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kB4(int *o) { __shared__ int b[sizeof(B4) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kB5(int *o) { __shared__ int b[sizeof(B5) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 384
__global__ void kB6(int *o) { __shared__ int b[sizeof(B6) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 384
__global__ void kB7(int *o) { __shared__ int b[sizeof(B7) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 64
__global__ void kB8(int *o) { __shared__ int b[sizeof(B8) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kB9(int *o) { __shared__ int b[sizeof(B9) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 320
__global__ void kC1(int *o) { __shared__ int b[sizeof(C1) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 192
__global__ void kC2(int *o) { __shared__ int b[sizeof(C2) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 4608
__global__ void kC3(int *o) { __shared__ int b[sizeof(C3) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kC4(int *o) { __shared__ int b[sizeof(C4) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kC5(int *o) { __shared__ int b[sizeof(C5) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kC6(int *o) { __shared__ int b[sizeof(C6) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kC7(int *o) { __shared__ int b[sizeof(C7) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kC9(int *o) { __shared__ int b[sizeof(C9) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 512
__global__ void kD1(int *o) { __shared__ int b[sizeof(D1) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 512
__global__ void kD2(int *o) { __shared__ int b[sizeof(D2) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kD3(int *o) { __shared__ int b[sizeof(D3) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kD4(int *o) { __shared__ int b[sizeof(D4) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kD5(int *o) { __shared__ int b[sizeof(D5) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kD6(int *o) { __shared__ int b[sizeof(D6) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kD7(int *o) { __shared__ int b[sizeof(D7) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kE1(int *o) { __shared__ int b[sizeof(E1) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kE2(int *o) { __shared__ int b[sizeof(E2) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 384
__global__ void kE3(int *o) { __shared__ int b[sizeof(E3) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 1088
__global__ void kE4(int *o) { __shared__ int b[sizeof(E4) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 256
__global__ void kE5(int *o) { __shared__ int b[sizeof(E5) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 192
__global__ void kE6(int *o) { __shared__ int b[sizeof(E6) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kE7(int *o) { __shared__ int b[sizeof(E7) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 192
__global__ void kE8(int *o) { __shared__ int b[sizeof(E8) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
__global__ void kF1(int *o) { __shared__ int b[sizeof(F1) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 1088
__global__ void kE9(int *o) { __shared__ int b[sizeof(E9) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 1216
__global__ void kF2(int *o) { __shared__ int b[sizeof(F2) * 4]; b[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = b[threadIdx.x ^ 1]; }  // 128
