namespace cfg { struct Config { int threads; int blocks = 2; bool wide = false; }; constexpr Config base(int n) { return {n * 32}; } }
struct Config { int threads = 999; };
__global__ void __launch_bounds__(cfg::base(3).threads, cfg::base(3).blocks) h1(int *p) { *p = 1; }
namespace cfg { __global__ void __launch_bounds__(Config{64}.threads) h2(int *p) { *p = 1; } }
template <int N> struct Tile { int threads = N * 2; constexpr Tile() {} constexpr Tile(int k) : threads(N * k) {} };
__global__ void __launch_bounds__(Tile<48>().threads) h3(int *p) { *p = 1; }
__global__ void __launch_bounds__(Tile<48>(3).threads) h4(int *p) { *p = 1; }
template <class T> constexpr cfg::Config pick() { if (sizeof(T) == 8) return {128}; else if (sizeof(T) == 4) return {256, 1}; return cfg::Config(); }
template <class T> __global__ void __launch_bounds__(pick<T>().threads) h5(T *p) { *p = 1; }
template __global__ void h5<float>(float *); template __global__ void h5<double>(double *);
struct Outer { cfg::Config inner; Tile<32> tile{4}; constexpr Outer(cfg::Config c) : inner(c) {} };
constexpr Outer outer(bool big) { return big ? Outer(cfg::Config{512, 1}) : Outer(cfg::base(5)); }
__global__ void __launch_bounds__(outer(true).inner.threads) h6(int *p) { *p = 1; }
__global__ void __launch_bounds__(outer(false).inner.threads) h7(int *p) { *p = 1; }
__global__ void __launch_bounds__(outer(false).tile.threads) h8(int *p) { *p = 1; }
__host__ cfg::Config get(int a, int b, int cc);
constexpr __device__ cfg::Config get(int a, int b) {
#if __CUDA_ARCH__ >= 800
    return cfg::Config{a};
#else
    return cfg::Config{b};
#endif
}
constexpr __device__ int threads(int a, int b) { return get(a, b).threads; }
__global__ void __launch_bounds__(threads(96, 32)) h9(int *p) { *p = 1; }
#define CASE(A, B, T) if (a == (A) && b == (B)) { static_assert((T) % 32 == 0, "bad"); return cfg::Config{(T)}; }
static constexpr __host__ __device__ cfg::Config table(const int a, const int b) {
    CASE( 64,  64, 128);
    CASE( 64, 128, 256)
    CASE(128, 128, 512);
    return cfg::Config{32};
}
template <int A, int B> __global__ void __launch_bounds__(table(A, B).threads, table(A, B).blocks) h10(int *p) { *p = A; }
void l10(int *p) { h10<64, 64><<<1, 1>>>(p); h10<64, 128><<<1, 1>>>(p); h10<128, 128><<<1, 1>>>(p); h10<128, 64><<<1, 1>>>(p); }
struct Priv { constexpr Priv(int n) : n_(n) {} constexpr int get() const { return n_ * 2; } int n_; };
__global__ void __launch_bounds__(Priv(32).get()) h11(int *p) { *p = 1; }
struct Base { int threads = 64; }; struct Derived : Base { int threads = 96; };
__global__ void __launch_bounds__(Derived().threads) h12(int *p) { *p = 1; }
__global__ void __launch_bounds__(static_cast<Base>(Derived()).threads) h13(int *p) { *p = 1; }
union U { int a; unsigned char b; };
__global__ void __launch_bounds__(U{96}.a) h14(int *p) { *p = 1; }
struct Bits { int a : 7; int b; };
__global__ void __launch_bounds__(Bits{32, 64}.b) h15(int *p) { *p = 1; }
struct If { int a;
#ifdef NEVER
    int b;
#endif
    int c; };
__global__ void __launch_bounds__(If{32, 64}.c) h16(int *p) { *p = 1; }
struct Vec { int2 v; int n; };
constexpr Vec vec() { return Vec{1, 2, 96}; }
__global__ void __launch_bounds__(vec().n) h17(int *p) { *p = 1; }
struct List { int n; template <int M> constexpr List(const int (&a)[M]) : n(M * 32) {} constexpr List(int a, int b = 1) : n(a) {} };
__global__ void __launch_bounds__(List({1, 2}).n) h18(int *p) { *p = 1; }
__global__ void __launch_bounds__(List{64}.n) h19(int *p) { *p = 1; }
constexpr int twice(int &x) { x *= 2; return x; }
constexpr int h20n() { int a = 32; int b = twice(a); return a + b - b; }
__global__ void __launch_bounds__(h20n()) h20(int *p) { *p = 1; }
constexpr int x21 = 64; constexpr int id(int n) { return n; } constexpr int h21n(float x21) { return id(x21); }
__global__ void __launch_bounds__(h21n(96)) h21(int *p) { *p = 1; }
struct Less { bool a, b; int n; };
constexpr Less less(int n) { return {n < 4, n > 2, n * 32}; }
__global__ void __launch_bounds__(less(3).n) h22(int *p) { *p = 1; }
__global__ void __launch_bounds__(less(3).b * 64) h23(int *p) { *p = 1; }
struct Late { int b = 0; int a = b + 32; constexpr Late(int n) : a(n + b), b(n * 2) {} };
__global__ void __launch_bounds__(Late(32).b) h24(int *p) { *p = 1; }
__global__ void __launch_bounds__(Late(32).a) h25(int *p) { *p = 1; }
constexpr int a26 = 512; struct Hide { int a26; int n; constexpr Hide(int k) : a26(k), n(a26) {} };
__global__ void __launch_bounds__(Hide(32).n) h26(int *p) { *p = 1; }
struct Self { int n; constexpr Self(int k) : n(this->m() + k) {} constexpr int m() const { return 32; } };
__global__ void __launch_bounds__(Self(32).n) h27(int *p) { *p = 1; }
struct Conv { int n; constexpr Conv(cfg::Config c) : n(c.threads + 32) {} };
constexpr int take(Conv c) { return c.n; }
__global__ void __launch_bounds__(take(cfg::Config{64})) h28(int *p) { *p = 1; }
constexpr auto made() { struct Local { int n; int m = 64; }; return Local{32}; }
__global__ void __launch_bounds__(made().m) h29(int *p) { *p = 1; }
#define WRAP(X) constexpr int wrapped = X; if (wrapped > 32) return wrapped
constexpr int w30(int n) { WRAP(64); return n; }
__global__ void __launch_bounds__(w30(7)) h30(int *p) { *p = 1; }
