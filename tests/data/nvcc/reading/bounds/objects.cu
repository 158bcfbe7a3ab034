struct P { int n; int m = 96; };
constexpr P p1() { return {64}; }
__global__ void __launch_bounds__(p1().n) s1(int *p) { *p = 1; }
__global__ void __launch_bounds__(p1().m) s2(int *p) { *p = 1; }
constexpr P p3() { return P{.m = 32}; }
__global__ void __launch_bounds__(p3().n + 64, p3().m / 16) s3(int *p) { *p = 1; }
struct Q { int a[2]; int n; };
constexpr Q q1() { return Q{1, 2, 128}; }
__global__ void __launch_bounds__(q1().n) s4(int *p) { *p = 1; }
constexpr Q q2() { return {{1, 2}, 160}; }
__global__ void __launch_bounds__(q2().n) s5(int *p) { *p = 1; }
struct R { P p; int n; };
constexpr R r1() { return R{32, 64, 192}; }
__global__ void __launch_bounds__(r1().n) s6(int *p) { *p = 1; }
__global__ void __launch_bounds__(r1().p.m) s7(int *p) { *p = 1; }
constexpr R r2() { return R{{32}, 224}; }
__global__ void __launch_bounds__(r2().p.m) s8(int *p) { *p = 1; }
__global__ void __launch_bounds__(r2().n) s9(int *p) { *p = 1; }
struct C { int x, y, z; constexpr C(int a, int b) : z(a), y(b), x(z0) {} static constexpr int z0 = 32; };
__global__ void __launch_bounds__(C(64, 96).z) s10(int *p) { *p = 1; }
__global__ void __launch_bounds__(C(64, 96).x) s11(int *p) { *p = 1; }
__global__ void __launch_bounds__(C{64, 96}.y) s12(int *p) { *p = 1; }
struct D { int x = 32, y = x * 2; constexpr D() {} constexpr D(int a) : y(a) { x = 160; } constexpr D(int a, int b) : x(b), y(x + a) {} };
__global__ void __launch_bounds__(D().y) s13(int *p) { *p = 1; }
__global__ void __launch_bounds__(D(96).x) s14(int *p) { *p = 1; }
__global__ void __launch_bounds__(D(96, 32).y) s15(int *p) { *p = 1; }
struct E { int n; constexpr E(int a) : n(a) {} constexpr E(unsigned a) : n(a * 2) {} };
__global__ void __launch_bounds__(E(64).n) s16(int *p) { *p = 1; }
__global__ void __launch_bounds__(E(64u).n) s17(int *p) { *p = 1; }
struct F { int n; template <class T> constexpr F(T a) : n(a + sizeof(T)) {} };
__global__ void __launch_bounds__(F(64).n) s18(int *p) { *p = 1; }
struct G { int n; constexpr G(int a) : G(a, 2) {} constexpr G(int a, int b) : n(a * b) {} };
__global__ void __launch_bounds__(G(64).n) s19(int *p) { *p = 1; }
struct H { unsigned char n; constexpr H(int a) : n(a) {} };
__global__ void __launch_bounds__(H(320).n) s20(int *p) { *p = 1; }
struct I { bool n; int m; constexpr I(int a) : n(a), m(n * 64) {} };
__global__ void __launch_bounds__(I(320).m) s21(int *p) { *p = 1; }
__global__ void __launch_bounds__(I(320).n * 32) s22(int *p) { *p = 1; }
struct J { int n; constexpr operator int() const { return n * 2; } };
constexpr J j1() { return J{64}; }
__global__ void __launch_bounds__(j1()) s23(int *p) { *p = 1; }
constexpr J j2{64};
__global__ void __launch_bounds__(j2) s24(int *p) { *p = 1; }
__global__ void __launch_bounds__(j2.n) s25(int *p) { *p = 1; }
constexpr J j3 = j1();
__global__ void __launch_bounds__(j3) s26(int *p) { *p = 1; }
__global__ void __launch_bounds__(j3.n) s27(int *p) { *p = 1; }
struct K { int n; constexpr K(J j) : n(j.n + 1) {} };
constexpr K k1 = j1();
__global__ void __launch_bounds__(k1.n) s28(int *p) { *p = 1; }
constexpr K k2() { return j1(); }
__global__ void __launch_bounds__(k2().n) s29(int *p) { *p = 1; }
constexpr int a1(J j) { return j.n + 32; }
__global__ void __launch_bounds__(a1(j1())) s30(int *p) { *p = 1; }
__global__ void __launch_bounds__(a1(J{96})) s31(int *p) { *p = 1; }
__global__ void __launch_bounds__(a1({32})) s32(int *p) { *p = 1; }
constexpr int a2(K k) { return k.n; }
__global__ void __launch_bounds__(a2(j1())) s33(int *p) { *p = 1; }
constexpr J a3(int n) { J j{n}; if (n > 64) return J{32}; if (n == 64) { J j{128}; return j; } return j; }
__global__ void __launch_bounds__(a3(65).n) s34(int *p) { *p = 1; }
__global__ void __launch_bounds__(a3(64).n) s35(int *p) { *p = 1; }
__global__ void __launch_bounds__(a3(33).n) s36(int *p) { *p = 1; }
constexpr J a4(int n) { J j{n}; j.n = 256; return j; }
__global__ void __launch_bounds__(a4(65).n) s37(int *p) { *p = 1; }
#define CASE(A, V) if (n == (A)) return J{V};
constexpr J a5(int n) { CASE(1, 32) CASE(2, 64) else CASE(3, 96); return J{128}; }
__global__ void __launch_bounds__(a5(1).n) s38(int *p) { *p = 1; }
__global__ void __launch_bounds__(a5(3).n) s39(int *p) { *p = 1; }
__global__ void __launch_bounds__(a5(4).n) s40(int *p) { *p = 1; }
#define WHEN(A, V) if (n == (A)) if (m == 1) return V
constexpr int a6(int n, int m) { WHEN(1, 32); WHEN(2, 64); else return 96; return 128; }
__global__ void __launch_bounds__(a6(1, 1)) s41(int *p) { *p = 1; }
__global__ void __launch_bounds__(a6(2, 2)) s42(int *p) { *p = 1; }
__global__ void __launch_bounds__(a6(3, 2)) s43(int *p) { *p = 1; }
#undef CASE
#define CASE(A, V) case A: return V;
constexpr int a7(int n) { switch (n) { CASE(1, 32) CASE(2, 64) default: return 96; } }
__global__ void __launch_bounds__(a7(2)) s44(int *p) { *p = 1; }
__global__ void __launch_bounds__(a7(7)) s45(int *p) { *p = 1; }
