// Declarators: behind each kernel the bytes of its `.shared` variables in the PTX of nvcc 13.0 (-std=c++20 -arch=sm_90).
#define KEEP(x) asm volatile("" :: "l"(&(x)))
namespace n_ptrarr {
struct S { float (*c)[8]; char d; };
__global__ void k_ptrarr_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
__global__ void k_ptrarr_1() { __shared__ S s[3]; KEEP(s); } // 48
}
namespace n_fnarr {

__global__ void k_fnarr_0() { __shared__ int (*s[4])(int, char[100]); KEEP(s); } // 32
}
namespace n_cb {
struct S { void (*cb)(int); int x; };
__global__ void k_cb_0() { __shared__ S s[2]; KEEP(s); } // 32
}
namespace n_cbinit {
struct S { void (*cb)(int) = nullptr; int x = 3; };
__global__ void k_cbinit_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
}
namespace n_refmem {
struct S { float (&r)[8]; int &q; char c; };
__global__ void k_refmem_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1536
}
namespace n_fnret {
struct S { int (*(*q)(int))[3]; char c; };
__global__ void k_fnret_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
}
namespace n_arrofptrarr {
struct S { float (*p[3])[8]; };
__global__ void k_arrofptrarr_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1536
}
namespace n_ptrmem {
struct T { int a; };
struct S { int T::*m; char c; };
__global__ void k_ptrmem_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
}
namespace n_ptrmemfn {
struct T { int a; void f(); };
struct S { void (T::*m)(); char c; };
__global__ void k_ptrmemfn_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1536
}
namespace n_paren {
struct S { float (a)[8]; int (b); };
__global__ void k_paren_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 2304
__global__ void k_paren_1() { __shared__ float (s)[8]; KEEP(s); } // 32
}
namespace n_sev {
struct S { int *a[3], (*b)[4], c, d[2]; };
__global__ void k_sev_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 3072
}
namespace n_sev2 {
struct S { char a, *b, c[3], (*d)(int), (*e)[9]; };
__global__ void k_sev2_0() { __shared__ S s[2]; KEEP(s); } // 80
}
namespace n_tdarr {
typedef float A[8];
__global__ void k_tdarr_0() { __shared__ A s[3]; KEEP(s); } // 96
__global__ void k_tdarr_1() { __shared__ A s; KEEP(s); } // 32
}
namespace n_tdarr2 {
typedef float A[8]; typedef A B[2];
struct S { B b; char c; };
__global__ void k_tdarr2_0() { __shared__ B s[3]; KEEP(s); } // 192
__global__ void k_tdarr2_1() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 4352
__global__ void k_tdarr2_2() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 4096
}
namespace n_tdptrarr {
typedef float (*P)[8];
__global__ void k_tdptrarr_0() { __shared__ P s[3]; KEEP(s); } // 24
__global__ void k_tdptrarr_1() { __shared__ char s[64*sizeof(P)]; KEEP(s); } // 512
}
namespace n_tdfn {
typedef int (*F)(int);
struct S { F f; char c; };
__global__ void k_tdfn_0() { __shared__ F s[3]; KEEP(s); } // 24
__global__ void k_tdfn_1() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
}
namespace n_tdfnt {
typedef int F(int);
struct S { F *f; char c; };
__global__ void k_tdfnt_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
}
namespace n_tdfnm {
typedef int F(int);
struct S { F f; int c; };
__global__ void k_tdfnm_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 256
}
namespace n_usearr {
using A = float[8];
__global__ void k_usearr_0() { __shared__ A s[3]; KEEP(s); } // 96
__global__ void k_usearr_1() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 2048
}
namespace n_useptr {
using P = float(*)[8];
__global__ void k_useptr_0() { __shared__ P s[3]; KEEP(s); } // 24
__global__ void k_useptr_1() { __shared__ char s[64*sizeof(P)]; KEEP(s); } // 512
}
namespace n_usefn {
using F = int(*)(int, float[9]);
__global__ void k_usefn_0() { __shared__ F s[5]; KEEP(s); } // 40
}
namespace n_usefnt {
using F = int(int);
__global__ void k_usefnt_0() { __shared__ F *s[5]; KEEP(s); } // 40
}
namespace n_useref {
using R = float(&)[8];
struct S { R r; char c; };
__global__ void k_useref_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
__global__ void k_useref_1() { __shared__ char s[64*sizeof(R)]; KEEP(s); } // 2048
}
namespace n_usemem {
struct T { int a; void f(int); };
using M = int T::*;
using G = void (T::*)(int);
__global__ void k_usemem_0() { __shared__ char s[64*sizeof(M)]; KEEP(s); } // 512
__global__ void k_usemem_1() { __shared__ char s[64*sizeof(G)]; KEEP(s); } // 1024
__global__ void k_usemem_2() { __shared__ M s[3]; KEEP(s); } // 24
__global__ void k_usemem_3() { __shared__ G s[3]; KEEP(s); } // 48
}
namespace n_tdmem {
struct T { int a; void f(int); };
typedef int T::*M;
typedef void (T::*G)(int);
__global__ void k_tdmem_0() { __shared__ char s[64*sizeof(M)]; KEEP(s); } // 512
__global__ void k_tdmem_1() { __shared__ char s[64*sizeof(G)]; KEEP(s); } // 1024
__global__ void k_tdmem_2() { __shared__ M s[3]; KEEP(s); } // 24
__global__ void k_tdmem_3() { __shared__ G s[3]; KEEP(s); } // 48
}
namespace n_tdsev {
typedef float Q[3], *R, (*P)[8];
__global__ void k_tdsev_0() { __shared__ Q s[2]; KEEP(s); } // 24
__global__ void k_tdsev_1() { __shared__ R s[2]; KEEP(s); } // 16
__global__ void k_tdsev_2() { __shared__ P s[2]; KEEP(s); } // 16
}
namespace n_typeid1 {

__global__ void k_typeid1_0() { __shared__ char s[64*sizeof(float[8])]; KEEP(s); } // 2048
__global__ void k_typeid1_1() { __shared__ char s[64*sizeof(float(*)[8])]; KEEP(s); } // 512
__global__ void k_typeid1_2() { __shared__ char s[64*sizeof(int(*)(int))]; KEEP(s); } // 512
__global__ void k_typeid1_3() { __shared__ char s[64*sizeof(float*[8])]; KEEP(s); } // 4096
__global__ void k_typeid1_4() { __shared__ char s[64*sizeof(char[3][4])]; KEEP(s); } // 768
__global__ void k_typeid1_5() { __shared__ char s[64*sizeof(unsigned long long)]; KEEP(s); } // 512
}
namespace n_tmpl {
template <class T> struct W { T t; char c; };
__global__ void k_tmpl_0() { __shared__ char s[64*sizeof(W<float[8]>)]; KEEP(s); } // 2304
__global__ void k_tmpl_1() { __shared__ char s[64*sizeof(W<float(*)[8]>)]; KEEP(s); } // 1024
__global__ void k_tmpl_2() { __shared__ char s[64*sizeof(W<int(*)(int)>)]; KEEP(s); } // 1024
__global__ void k_tmpl_3() { __shared__ char s[64*sizeof(W<int*>)]; KEEP(s); } // 1024
}
namespace n_varsz {

__global__ void k_varsz_0() { float a[8]; __shared__ char s[sizeof(a)]; KEEP(s); } // 32
__global__ void k_varsz_1() { float a[8][3]; __shared__ char s[sizeof(a[0])]; KEEP(s); } // 12
__global__ void k_varsz_2() { float (*a)[3] = nullptr; __shared__ char s[sizeof(*a)]; KEEP(s); } // 12
__global__ void k_varsz_3() { float (*a)[3] = nullptr; __shared__ char s[sizeof(a)]; KEEP(s); } // 8
__global__ void k_varsz_4() { float *a = nullptr; __shared__ char s[sizeof(a)]; KEEP(s); } // 8
__global__ void k_varsz_5() { float **a = nullptr; __shared__ char s[sizeof(*a)]; KEEP(s); } // 8
__global__ void k_varsz_6() { int (*a)(int) = nullptr; __shared__ char s[sizeof(a)]; KEEP(s); } // 8
}
namespace n_dt {

__global__ void k_dt_0() { float a[8]; __shared__ decltype(a) s; KEEP(s); } // 32
__global__ void k_dt_1() { float *a = 0; __shared__ decltype(a) s[2]; KEEP(s); } // 16
__global__ void k_dt_2() { float a = 0; __shared__ decltype(a) s[2]; KEEP(s); } // 8
__global__ void k_dt_3() { double x = 0; auto y = x; __shared__ char s[sizeof(y)]; KEEP(s); } // 8
}
namespace n_tdpp {
typedef float **PP;
__global__ void k_tdpp_0() { PP p = nullptr; __shared__ char s[sizeof(*p)]; KEEP(s); } // 8
__global__ void k_tdpp_1() { PP p = nullptr; __shared__ char s[sizeof(**p)]; KEEP(s); } // 4
}
namespace n_tdpa {
typedef float (*P)[8];
__global__ void k_tdpa_0() { P p = nullptr; __shared__ char s[sizeof(*p)]; KEEP(s); } // 32
__global__ void k_tdpa_1() { P p = nullptr; __shared__ char s[sizeof(p[0][0])]; KEEP(s); } // 4
}
namespace n_attrb {
struct S { float __attribute__((aligned(16))) a; int b; };
__global__ void k_attrb_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
}
namespace n_attrb2 {
struct S { int b; float a __attribute__((aligned(16))); };
__global__ void k_attrb2_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 2048
}
namespace n_attrb3 {
struct S { int b; float (*a)[8] __attribute__((aligned(16))); };
__global__ void k_attrb3_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 2048
}
namespace n_attrb4 {

__global__ void k_attrb4_0() { __shared__ __align__(16) float (s)[3]; KEEP(s); } // 12
__global__ void k_attrb4_1() { __shared__ float s[3] __attribute__((aligned(16))); KEEP(s); } // 12
}
namespace n_attrb5 {
struct S { int b; alignas(32) float a[2], c; };
__global__ void k_attrb5_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 6144
}
namespace n_trailing {
struct S { int x; auto f() const -> int { return 1; } auto g(int (*h)(int)) -> float (*)[8]; };
__global__ void k_trailing_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 256
}
namespace n_mfun {
struct S { int x; int (h)(int); int *k(int); int (*m(int))[3]; };
__global__ void k_mfun_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 256
}
namespace n_cons {
struct S { S() : x(1) {} ~S() {} int x; operator int() const { return x; } explicit operator float*() const; S& operator=(const S&) = default; };
__global__ void k_cons_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 256
}
namespace n_frnd {
struct S { int x; friend struct T; friend int ff(S); friend int gg(int (*)(int)) { return 1; } };
__global__ void k_frnd_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 256
}
namespace n_stat {
struct S { static int a[100]; static constexpr float b[3] = {1,2,3}; int c; static float (*d)[8]; inline static int e; };
__global__ void k_stat_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 256
}
namespace n_enumin {
struct S { enum K { A, B } k; enum { C }; enum class D : char { E } d; };
__global__ void k_enumin_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 512
}
namespace n_strin {
struct S { struct { int a; char b; } c, d[2], *e; struct N { double q; }; };
__global__ void k_strin_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 2048
}
namespace n_anon {
struct S { union { int a; double b; }; struct { char c; short d; }; };
__global__ void k_anon_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
}
namespace n_usin {
struct S { using T = float; typedef double U; T t; U u; };
__global__ void k_usin_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
}
namespace n_tmem {
struct S { template <class T> struct I { T x[100]; }; template <class T> T f(T (*g)[4]); int x; };
__global__ void k_tmem_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 256
}
namespace n_sassert {
struct S { int x; static_assert(sizeof(int) == 4, ""); int y; };
__global__ void k_sassert_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 512
}
namespace n_vola {
struct S { volatile int x; const float *const p; int *volatile *q; mutable char c; };
__global__ void k_vola_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 2048
}
namespace n_unsg {
struct S { unsigned x; long unsigned int y; short int z; long long int w; signed char c; char unsigned d; };
__global__ void k_unsg_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 2560
}
namespace n_structkw {
struct P { int x; }; 
struct S { struct P p; struct P *q; enum E { A } e; };
__global__ void k_structkw_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1536
}
namespace n_opq {
struct Q; 
struct S { Q *q; Q &r; struct Z *z; };
__global__ void k_opq_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1536
}
namespace n_dc {
struct S { int a; decltype(a) b; decltype(1.0) c; };
__global__ void k_dc_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 1024
}
namespace n_voidp {
struct S { void *p, **q, *r[3]; void (*f[2][3])(void); };
__global__ void k_voidp_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 5632
}
namespace n_nest {
typedef float V[4]; typedef V M[4];
struct S { M *m; M n; V (*w)[2]; };
__global__ void k_nest_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 5120
}
namespace n_nulls {
struct S { decltype(nullptr) n; };
__global__ void k_nulls_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 512
}
namespace n_mult {

__global__ void k_mult_0() { __shared__ float s[2], t[3], *u[4]; KEEP(t); KEEP(u); KEEP(s); } // 52
__global__ void k_mult_1() { __shared__ int s, (*t)[4]; KEEP(t); KEEP(s); } // 12
__global__ void k_mult_2() { __shared__ char (*s)[100]; KEEP(s); } // 8
__global__ void k_mult_3() { __shared__ float (*s)[8], t[7]; KEEP(t); KEEP(s); } // 36
}
namespace n_twice {
struct S { char ((m0)); long unsigned (*m1)(void); float m2[6][4]; long unsigned m3; };
__global__ void k_twice_0() { __shared__ S s; KEEP(s); } // 120
__global__ void k_twice_1() { __shared__ float (a)[48], ((b))[2][8]; KEEP(a); KEEP(b); } // 256
}
