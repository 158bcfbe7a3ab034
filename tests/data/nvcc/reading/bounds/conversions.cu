// narrow types and shadows
constexpr unsigned char f1(int n) { return n; }
__global__ void __launch_bounds__(f1(320)) t1(int *p) { *p = 1; }
constexpr bool f2(int n) { return n; }
__global__ void __launch_bounds__(f2(32) * 64) t2(int *p) { *p = 1; }
constexpr int f3() { int x = 64; { int x = 32; (void)x; } return x; }
__global__ void __launch_bounds__(f3()) t3(int *p) { *p = 1; }
constexpr int f4(int n) { unsigned char c = n; return c; }
__global__ void __launch_bounds__(f4(320)) t4(int *p) { *p = 1; }
constexpr int f5(int n) { float x = n; x = x / 2; return x * 2; }
__global__ void __launch_bounds__(f5(65)) t5(int *p) { *p = 1; }
constexpr int f6(bool b) { return b + 64; }
__global__ void __launch_bounds__(f6(7)) t6(int *p) { *p = 1; }
constexpr int f7(unsigned n) { return n > 5 ? 64 : 32; }
__global__ void __launch_bounds__(f7(-1)) t7(int *p) { *p = 1; }
constexpr int f8() { int s = 0; for (int i = 0; i < 4; ++i) { int s = 3; (void)s; } for (int i = 0; i < 4; ++i) s += 32; return s; }
__global__ void __launch_bounds__(f8()) t8(int *p) { *p = 1; }
constexpr int f9() { unsigned u = 1; u = u - 2; return u > 7 ? 128 : 256; }
__global__ void __launch_bounds__(f9()) t9(int *p) { *p = 1; }
constexpr int f10(double x) { return x * 2; }
__global__ void __launch_bounds__(f10(64)) t10(int *p) { *p = 1; }
constexpr auto f11() -> unsigned char { return 300; }
__global__ void __launch_bounds__(f11()) t11(int *p) { *p = 1; }
constexpr double f12() { return 7 / 2.0; }
__global__ void __launch_bounds__((int)(f12() * 64)) t12(int *p) { *p = 1; }
constexpr double f13() { return 33; }
__global__ void __launch_bounds__((int)(f13() / 2 * 4)) t13(int *p) { *p = 1; }
constexpr float f14(int n) { return n; }
__global__ void __launch_bounds__((int)(f14(33) / 2 * 4)) t14(int *p) { *p = 1; }
struct A1 { struct B { static constexpr int value = 64; }; static constexpr int value = 128; };
__global__ void __launch_bounds__(A1::value) t15(int *p) { *p = 1; }
constexpr short f16(int n) { return n; }
__global__ void __launch_bounds__(f16(65536 + 64)) t16(int *p) { *p = 1; }
typedef unsigned char byte_t;
constexpr byte_t f17(int n) { return n; }
__global__ void __launch_bounds__(f17(320)) t17(int *p) { *p = 1; }
template <class T> constexpr T f18(int n) { return n; }
__global__ void __launch_bounds__(f18<unsigned char>(320)) t18(int *p) { *p = 1; }
static_assert(f1(320) == 64 && f9() == 128);
constexpr unsigned char n1 = (unsigned char)320;
__global__ void __launch_bounds__(n1) u1(int *p) { *p = 1; }
constexpr bool n2 = 320;
__global__ void __launch_bounds__(n2 * 64) u2(int *p) { *p = 1; }
struct S { static constexpr bool b = 7; static constexpr double d = 7; static constexpr int n = d / 2 * 64; };
__global__ void __launch_bounds__(S::b * 64) u3(int *p) { *p = 1; }
__global__ void __launch_bounds__(S::n) u4(int *p) { *p = 1; }
typedef unsigned char byte_t; using real = float;
const byte_t n5 = 300;
__global__ void __launch_bounds__(n5) u5(int *p) { *p = 1; }
constexpr real n6 = 65;
__global__ void __launch_bounds__((int)(n6 / 2 * 2)) u6(int *p) { *p = 1; }
template <int N> __global__ void __launch_bounds__(N) u7(int *p) { *p = N; }
void l7(int *p) { constexpr bool b = 9; const unsigned char c = 300; constexpr real r = 65; u7<b * 96><<<1, 1>>>(p); u7<c><<<1, c>>>(p); u7<int(r / 2 * 4)><<<1, 1>>>(p); bool d = 33; u7<512><<<1, d>>>(p); }
struct J { int n; constexpr operator int() const { return n * 2; } };
constexpr J j2{64};
__global__ void __launch_bounds__(j2) u8(int *p) { *p = 1; }
__global__ void __launch_bounds__(J{64, }.n) u9(int *p) { *p = 1; }
constexpr short n10 = 100;
__global__ void __launch_bounds__(n10 + 28) u10(int *p) { *p = 1; }
enum Kind : unsigned char { Small = 32, Big = 128 };
constexpr Kind kind = Big;
__global__ void __launch_bounds__(kind) u11(int *p) { *p = 1; }
